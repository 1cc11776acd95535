// The interactive session in a real terminal: the whole job with the words typed, and every way out (T05).
import { describe, expect, it } from "vitest";
import { openPane, type Pane, startIn } from "./pane.ts";
import { product, script } from "./product.ts";

describe.each([
  [120, 40],
  [80, 24],
  [40, 20],
])("at %i columns and %i rows", (columns, rows) => {
  it("the demo by hand goes through all gates to a verified receipt", async () => {
    const pane = await openPane(product(), columns, rows);
    pane.type("echo shell line before");
    pane.press("Enter");
    await startIn(pane, ["--demo"]);
    pane.press("Enter");
    for (const word of ["CONTINUE", "APPLY", "RUN", "APPLY", "RUN"]) {
      await pane.until(new RegExp(`waiting for ${word}$`));
      pane.type(word);
      pane.press("Enter");
      await pane.until(new RegExp(`(?<!waiting for ${word})$`));
    }
    await pane.until(/Verified: the required\s+(?:… )?check passed[\s\S]*ready$/);
    pane.type("/quit");
    pane.press("Enter");
    await pane.until(/code=0/);
    const text = pane.text();
    expect(text.match(/^shell line before$/gm)).toHaveLength(1);
    expect(text.match(/Verified: the required/g)).toHaveLength(1);
    expect(pane.stty()).toMatch(/^isig icanon iexten echo /m);
  });
});

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

  it("a profile that is not ready is said before the session starts", async () => {
    const pane = await openPane(product(), 80, 24);
    await startIn(pane, ["--profile", "openai-compatible"], /code=2/);
    expect(pane.text()).toContain("MINICODE_OPENAI_BASE_URL");
    sane(pane);
  });
});
