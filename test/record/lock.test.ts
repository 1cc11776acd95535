// The session lock (TH105): one holder, released by its death, not by its sleep.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockByFile, lockSession } from "../../src/record/lock.ts";
import { bundled, exited, start, tempFolder } from "./support.ts";

const id = "20261130-231500-1a2b3c";

describe.each([
  ["lockSession", lockSession],
  ["lockByFile", lockByFile],
] as const)("%s", (name, lock) => {
  const program = bundled(`
    import { ${name} } from "./lock.ts";
    await ${name}(process.argv[2], process.argv[3]);
    console.log("locked");
    if (process.argv[4] === "stay") setInterval(() => {}, 60_000);
  `);

  test("a second one is refused until the first is released", async () => {
    const folder = tempFolder();
    const first = await lock(id, folder);
    await expect(lock(id, folder)).rejects.toMatchObject({ code: "E_LOCKED", hint: expect.any(String) });
    await first.release();
    await (await lock(id, folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("equal ids in different folders do not meet", async () => {
    const locks = await Promise.all([lock(id, tempFolder()), lock(id, tempFolder())]);
    await Promise.all(locks.map((held) => held.release()));
  });

  test("another process holds it, also stopped; kill -9 releases it", async () => {
    const folder = tempFolder();
    const { child, firstLine } = start(await program, id, folder, "stay");
    expect(await firstLine).toBe("locked");
    await expect(lock(id, folder)).rejects.toMatchObject({ code: "E_LOCKED" });
    child.kill("SIGSTOP");
    await expect(lock(id, folder)).rejects.toMatchObject({ code: "E_LOCKED" });
    child.kill("SIGKILL");
    await exited(child);
    await (await lock(id, folder)).release();
  });

  test("it does not keep its process alive", async () => {
    const { child, firstLine } = start(await program, id, tempFolder());
    expect(await firstLine).toBe("locked");
    await exited(child);
    expect(child.exitCode).toBe(0);
  });

  test("of many at once one gets it", async () => {
    const folder = tempFolder();
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lock(id, folder)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

test("a lock file of another process with the same number, or of nobody, is stale", async () => {
  const folder = tempFolder();
  for (const text of [
    "",
    `{"pid":${process.pid},"started":"Mon Jan  1 00:00:00 2001"}`,
    '{"pid":4194304,"started":""}',
  ]) {
    writeFileSync(join(folder, "lock"), text);
    await (await lockByFile(id, folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test("a folder that is not there cannot be locked", async () => {
  for (const lock of [lockSession, lockByFile]) {
    await expect(lock(id, join(tempFolder(), "none"))).rejects.toMatchObject({ code: "ENOENT" });
  }
});
