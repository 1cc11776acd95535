// T05: every way out of the built product leaves the terminal sane. Runs with the e2e tests, in tmux.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openPane, type Pane, startIn } from "../e2e/pane.ts";
import { product, script } from "../e2e/product.ts";
import { bundle } from "../helpers/bundle.ts";

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + 15_000; !condition(); await sleep(20))
    if (performance.now() > end) throw new Error(`never came: ${what}`);
}

/** Bracketed paste, hidden cursor, modifyOtherKeys, kitty's keys: how each is switched on and off. */
const modes = [
  ["\x1b[?2004h", "\x1b[?2004l"],
  ["\x1b[?25l", "\x1b[?25h"],
  ["\x1b[>4;2m", "\x1b[>4;0m"],
  ["\x1b[>7u", "\x1b[<u"],
] as const;

describe("T05: every way out leaves the terminal sane", () => {
  const idle = async (steps: readonly object[] = [{ text: "hi" }]): Promise<Pane> => {
    const p = product();
    const path = script(p, "s", steps);
    const pane = await openPane(p, 80, 24);
    await startIn(pane, ["--profile", "scripted", "--script", path]);
    return pane;
  };
  /** The shell has its terminal back: line discipline, and everything that was switched on is off again behind it. */
  const sane = async (pane: Pane): Promise<void> => {
    expect(pane.stty()).toMatch(/^isig icanon iexten echo /m);
    await until(() => pane.raw().includes("\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[0m"), "the sane sequences");
    const raw = pane.raw();
    for (const [on, off] of modes)
      expect(raw.lastIndexOf(off), off).toBeGreaterThanOrEqual(raw.lastIndexOf(on));
    expect(raw).not.toMatch(/\x1b\[[23]J/);
  };

  it("/quit", async () => {
    const pane = await idle();
    pane.type("/quit");
    pane.press("Enter");
    await pane.until(/code=0/);
    await sane(pane);
  });

  it("kitty's keys, pushed for a terminal that has them, are popped once", async () => {
    const pane = await idle();
    // The answer to "which keys do you have?": ESC [ ? 0 u.
    pane.press("-H", "1b", "5b", "3f", "30", "75");
    await until(() => pane.raw().includes("\x1b[>7u"), "the push");
    pane.type("/quit");
    pane.press("Enter");
    await pane.until(/code=0/);
    await sane(pane);
    expect(pane.raw().split("\x1b[<u")).toHaveLength(2);
  });

  it("Ctrl+C twice, Ctrl+D", async () => {
    const twice = await idle();
    twice.press("C-c");
    await twice.until(/Ctrl\+C again to quit/);
    twice.press("C-c");
    await twice.until(/code=0/);
    await sane(twice);
    const pane = await idle();
    pane.press("C-d");
    await pane.until(/code=0/);
    await sane(pane);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s, also while a task runs", async (signal, code) => {
    const pane = await idle([{ text: "slow", delayMs: 60_000 }]);
    pane.type("go");
    pane.press("Enter");
    await pane.until(/working$/);
    process.kill(pane.pid(), signal);
    await pane.until(new RegExp(`code=${code}`));
    await sane(pane);
  });

  it("Ctrl+C at once after the start", async () => {
    const p = product();
    const pane = await openPane(p, 80, 24);
    await startIn(pane, ["--profile", "scripted", "--script", script(p, "s", [{ text: "hi" }])], /MiniCode/);
    pane.press("C-c");
    pane.press("C-c");
    await pane.until(/code=\d+/);
    await sane(pane);
  });

  it("an error while drawing: one plain line on stderr, exit code 1", async () => {
    const p = product();
    const program = join(p.cwd, "crash.mjs");
    await bundle(fileURLToPath(new URL("../fixtures/tui/crash.ts", import.meta.url)), program);
    const pane = await openPane(p, 80, 24);
    pane.type(`${process.execPath} ${program} 2>err.txt; echo "code=$?"`);
    pane.press("Enter");
    await pane.until(/press a key$/);
    pane.press("x");
    await pane.until(/code=1/);
    expect(readFileSync(join(p.cwd, "err.txt"), "utf8")).toBe(
      "minicode: internal error: this row cannot be drawn\n",
    );
    await sane(pane);
  });

  it("an error in a tool is the call's result, and the session goes on", async () => {
    const pane = await idle([
      { calls: [{ name: "read_file", arguments: { path: "no/such/file" } }] },
      { text: "there is none" },
    ]);
    pane.type("go");
    pane.press("Enter");
    await pane.until(/there is none[\s\S]*ready$/);
    pane.press("C-d");
    await pane.until(/code=0/);
    await sane(pane);
  });

  it("a fault in a tool ends in order", async () => {
    const p = product({ "boom.txt": "x" });
    const fault = join(p.cwd, "fault.mjs");
    writeFileSync(
      fault,
      `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  if (String(path).endsWith("boom.txt")) throw new TypeError("a fault in a tool");
  return openSync(path, ...rest);
};
syncBuiltinESMExports();
`,
    );
    p.env["NODE_OPTIONS"] = `--import ${fault}`;
    const pane = await openPane(p, 80, 24);
    const path = script(p, "s", [
      { calls: [{ name: "read_file", arguments: { path: "boom.txt" } }] },
      { text: "never mind" },
    ]);
    await startIn(pane, ["--profile", "scripted", "--script", path]);
    pane.type("go");
    pane.press("Enter");
    await pane.until(/a fault in a tool[\s\S]*ready$/);
    pane.press("C-d");
    await pane.until(/code=0/);
    await sane(pane);
  });

  it("the terminal goes away while a task runs: the task ends in order, its record whole", async () => {
    const p = product();
    const pane = await openPane(p, 80, 24);
    await startIn(pane, [
      ...["--profile", "scripted"],
      ...["--script", script(p, "s", [{ text: "slow", delayMs: 60_000 }])],
    ]);
    pane.type("go");
    pane.press("Enter");
    await pane.until(/working$/);
    const pid = pane.pid();
    pane.close();
    await until(() => !existsSync(`/proc/${pid}`), "the process's end");
    expect((await p.run(["verify"])).stdout).toContain("ok: the chain is whole");
    const [session = ""] = readdirSync(join(p.data, "minicode", "sessions"));
    const record = readFileSync(join(p.data, "minicode", "sessions", session, "record.jsonl"), "utf8");
    expect(record).toContain('"end":"cancelled"');
  });

  it("a profile that is not ready is said before the session starts", async () => {
    const pane = await openPane(product(), 80, 24);
    await startIn(pane, ["--profile", "openai-compatible"], /code=2/);
    expect(pane.text()).toContain("MINICODE_OPENAI_BASE_URL");
    expect(pane.stty()).toMatch(/^isig icanon iexten echo /m);
    // What never began has nothing to undo.
    expect(pane.raw()).not.toContain("\x1b[>4;0m");
  });
});
