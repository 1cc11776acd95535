// M02: output without end, of any kind, is bounded for the model, the memory and the record, and its end is kept.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { runCase, sentText } from "./support.ts";

const LIMIT = 60_500;
const shell = (command: string) => call("run_shell", { command, reason: "r" });
const free = { guided: false } as const;

it("M02: (a) fifty megabytes: exit code, how much is left out, the end, and pages of the rest", async () => {
  const before = process.memoryUsage().rss;
  const c = await runCase({
    ...free,
    steps: [
      shell("yes 1234567 | head -c 50000000; echo the very end"),
      call("read_output", { seq: 1, start: 5 }),
    ],
  });
  const [ran, page] = c.ended;
  expect(ran?.outcome).toBe("ok");
  expect(ran?.content.length).toBeLessThan(LIMIT);
  expect(ran?.content).toContain("exit 0");
  const [, head = "", bytes, tail = ""] =
    /data [0-9a-f]{8} ---\n(.*\n)… (\d+) bytes left out here …\n(.*)\n--- end of data/s.exec(
      ran?.content ?? "",
    ) ?? [];
  expect(Number(bytes)).toBe(50_000_000 + "the very end\n".length - head.length - tail.length - 1);
  expect(ran?.content).toContain("the very end");
  expect(ran?.content).toContain(`read_output {"seq":1,"start":${head.split("\n").length}}`);
  expect(page?.content).toMatch(/^--- output #1, lines 5 to 1004 of \d+, data [0-9a-f]{8} ---\n1234567\n/);
  expect(page?.content).toContain('read_output {"seq":1,"start":1005}');
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  const folder = join(c.data, "sessions", c.agent.session);
  const sizes = readdirSync(join(folder, "blobs")).map((name) => statSync(join(folder, "blobs", name)).size);
  expect(Math.max(...sizes)).toBeLessThan(9e6);
  expect(statSync(join(folder, "record.jsonl")).size).toBeLessThan(200_000);
}, 30_000);

it("M02: (b) a flood is ended at its time limit", async () => {
  const c = await runCase({ ...free, settings: { commandTimeoutSeconds: 1 }, steps: [shell("yes")] });
  expect(c.ended[0]?.outcome).toBe("timeout");
  expect(c.ended[0]?.content).toMatch(/stopped at the time limit/);
  expect(c.ended[0]?.content.length).toBeLessThan(LIMIT);
}, 30_000);

it("M02: (c) NULs reach neither the model nor the screen", async () => {
  const c = await runCase({ ...free, steps: [shell("head -c 5000000 /dev/zero")] });
  expect(c.ended[0]?.content).toMatch(
    /^The command line: exit 0, .*\n\(binary output, 5000000 bytes: not shown\)$/,
  );
  expect(sentText(c)).not.toMatch(/\0|\\u0000/);
  for (const event of c.events) if (event.type === "output") expect(event.text).not.toContain("\0");
}, 30_000);

it("M02: (d) a file of twenty megabytes is read in pages", async () => {
  const c = await runCase({
    ...free,
    files: { "big.txt": "a line of text\n".repeat(1_400_000) },
    steps: [call("read_file", { path: "big.txt" })],
  });
  expect(c.ended[0]?.outcome).toBe("ok");
  expect(c.ended[0]?.content.length).toBeLessThan(LIMIT);
  expect(c.ended[0]?.content).toMatch(
    /1400000 lines[\s\S]*go on with read_file \{"path":"big.txt","start":2001\}/,
  );
}, 30_000);
