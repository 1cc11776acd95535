// One writer per session: a second is refused, also while the first sleeps and whatever the clock says; death releases it.
import { describe, expect, it } from "vitest";
import { lockByFile, lockSession } from "../../src/record/lock.ts";
import { testAgent } from "../helpers/agent.ts";
import { bundled, exited, start, tempFolder } from "../record/support.ts";

const id = "20261130-231500-1a2b3c";

describe("TH105 two writers of one session", () => {
  it("the same session resumed twice", async () => {
    const t = await testAgent({ steps: [{ text: "Done." }] });
    const again = testAgent({
      root: t.root,
      data: t.data,
      session: { kind: "resume", id: t.agent.session },
      steps: [],
    });
    await expect(again).rejects.toMatchObject({ code: "E_LOCKED" });
  });

  it.each([
    ["lockSession", lockSession],
    ["lockByFile", lockByFile],
  ] as const)("%s is held by a stopped process, and free when it is killed", async (name, lock) => {
    const program = await bundled(`
      import { ${name} } from "./lock.ts";
      await ${name}(process.argv[2], process.argv[3]);
      console.log("locked");
      setInterval(() => {}, 60_000);
    `);
    const folder = tempFolder();
    const { child, firstLine } = start(program, id, folder);
    expect(await firstLine).toBe("locked");
    child.kill("SIGSTOP");
    await expect(lock(id, folder)).rejects.toMatchObject({ code: "E_LOCKED" });
    child.kill("SIGKILL");
    await exited(child);
    await (await lock(id, folder)).release();
  });
});
