// kill -9 at random moments (TH101): every entry that was acknowledged is there, and the chain goes on.
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRecord } from "../../src/record/append.ts";
import { readRecord } from "../../src/record/read.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import { bundled, exited, header, start, tempFolder } from "./support.ts";

const rounds = 40;

test(`${rounds} × kill -9 loses no acknowledged entry`, async () => {
  const program = await bundled(`
    import { writeSync } from "node:fs";
    import { openRecord } from "./append.ts";
    const { recorder } = await openRecord(process.argv[2]);
    for (let i = 0; ; i += 1) {
      const text = "entry ".repeat(i % 7 === 0 ? 500 : 1 + (i % 40));
      const { n, hash } = await recorder.append({ type: "message", message: { role: "user", text } });
      writeSync(1, n + " " + hash + "\\n");
    }
  `);
  const runs = ["a", "b"].map(async (name, side) => {
    const folder = join(tempFolder(), name);
    await (await createRecord(folder, header)).close();
    const acknowledged = new Map<number, string>();
    for (let round = 0; round < rounds / 2; round += 1) {
      const { child, firstLine } = start(program, folder);
      let output = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
      const closed = new Promise<void>((done) => child.once("close", () => done()));
      await firstLine;
      // Any moment will do; nothing waits for this time to be enough.
      setTimeout(() => child.kill("SIGKILL"), (round * 7 + side * 3) % 40);
      await exited(child);
      await closed;
      for (const line of output.split("\n").slice(0, -1)) {
        const [n = "", hash = ""] = line.split(" ");
        acknowledged.set(Number(n), hash);
      }
    }
    const { entries } = await readRecord(folder);
    const byNumber = new Map(entries.map(({ n, hash }) => [n, hash]));
    expect([...acknowledged].filter(([n, hash]) => byNumber.get(n) !== hash)).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(rounds / 2);
    const { ok, problems } = await verifyRecord(folder);
    expect([ok, problems]).toEqual([true, []]);
  });
  await Promise.all(runs);
});
