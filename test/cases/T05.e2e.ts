// T05: every way out of the built product leaves the terminal sane. Runs with the e2e tests, in tmux.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openPane, type Pane, startIn } from "../e2e/pane.ts";
import { product, script } from "../e2e/product.ts";
import { bundle } from "../helpers/bundle.ts";

describe("T05: every way out leaves the terminal sane", () => {
  const idle = async (steps: readonly object[] = [{ text: "hi" }]): Promise<Pane> => {
    const p = product();
    const path = script(p, "s", steps);
    const pane = await openPane(p, 80, 24);
    await startIn(pane, ["--profile", "scripted", "--script", path]);
    return pane;
  };
  const sane = (pane: Pane): void => {
    expect(pane.stty()).toMatch(/^isig icanon iexten echo /m);
  };

  it("/quit", async () => {
    const pane = await idle();
    pane.type("/quit");
    pane.press("Enter");
    await pane.until(/code=0/);
    sane(pane);
  });

  it("Ctrl+C twice, Ctrl+D", async () => {
    const twice = await idle();
    twice.press("C-c");
    await twice.until(/Ctrl\+C again to quit/);
    twice.press("C-c");
    await twice.until(/code=0/);
    sane(twice);
    const pane = await idle();
    pane.press("C-d");
    await pane.until(/code=0/);
    sane(pane);
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
    sane(pane);
  });

  it("Ctrl+C at once after the start", async () => {
    const p = product();
    const pane = await openPane(p, 80, 24);
    await startIn(pane, ["--profile", "scripted", "--script", script(p, "s", [{ text: "hi" }])], /MiniCode/);
    pane.press("C-c");
    pane.press("C-c");
    await pane.until(/code=\d+/);
    sane(pane);
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
    sane(pane);
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
    sane(pane);
  });

  it("a profile that is not ready is said before the session starts", async () => {
    const pane = await openPane(product(), 80, 24);
    await startIn(pane, ["--profile", "openai-compatible"], /code=2/);
    expect(pane.text()).toContain("MINICODE_OPENAI_BASE_URL");
    sane(pane);
  });
});
