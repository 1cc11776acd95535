// The interactive session in a real terminal: the whole job with the words typed, and drafts that leave no trace.
import { describe, expect, it, onTestFinished } from "vitest";
import { event, head, startRawServer, streamHead } from "../helpers/raw-server.ts";
import { openPane, startIn } from "./pane.ts";
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
    await pane.until(/^shell line before$/m);
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

it("a 200-row draft that is retracted leaves no row in the terminal's history; accepted, each row is there once", async () => {
  const p = product();
  const rows = Array.from({ length: 200 }, (_, i) => `draft row ${i + 1} of it`).join("\n\n");
  const path = script(p, "draft", [
    { text: rows, chunk: 100, delayMs: 2, calls: [{ name: "list_dir", arguments: {} }] },
    { text: "an answer" },
    { text: rows, chunk: 100, delayMs: 2 },
  ]);
  const pane = await openPane(p, 80, 24);
  pane.type("clear; seq -f 'shell line %g' 1 30");
  pane.press("Enter");
  await pane.until(/^shell line 30$/m);
  await startIn(pane, ["--profile", "scripted", "--script", path]);
  pane.type("go");
  pane.press("Enter");
  await pane.until(/an answer[\s\S]*ready$/);
  expect(pane.text()).not.toContain("draft row");
  expect(pane.text().match(/^shell line \d+$/gm)).toHaveLength(30);
  pane.type("again");
  pane.press("Enter");
  await pane.until(/draft row 200 of it[\s\S]*ready$/);
  expect(pane.text().match(/draft row \d+ of it/g)).toHaveLength(200);
});

it("resized at a panel, the terminal shows one panel, one composer, and all that was there before", async () => {
  const pane = await openPane(product(), 80, 24);
  pane.type("echo shell line before");
  pane.press("Enter");
  await pane.until(/^shell line before$/m);
  await startIn(pane, ["--demo"]);
  pane.press("Enter");
  await pane.until(/waiting for CONTINUE$/);
  for (const [columns, rows] of [
    [60, 24],
    [100, 30],
    [100, 18],
    [60, 30],
    [45, 30],
    [80, 24],
  ] as const) {
    pane.resize(columns, rows);
    await pane.until(new RegExp(`^─{${columns}}$[\\s\\S]*waiting for CONTINUE$`, "m"));
    const text = pane.text();
    expect(text.match(/^shell line before$/gm)).toHaveLength(1);
    expect(text.match(/^Plan #1 /gm)).toHaveLength(1);
    expect(text.match(/waiting for CONTINUE$/gm)).toHaveLength(1);
  }
});

it("without a profile, one screen offers the demo, a model's set-up, or quitting", async () => {
  const pane = await openPane(product(), 80, 24);
  await startIn(pane, [], /3 {2}quit$/);
  pane.press("2");
  await pane.until(/Whose model\?[\s\S]*❯$/);
  pane.press("C-c");
  await pane.until(/nothing was changed[\s\S]*code=0/);
  await startIn(pane, [], /3 {2}quit$/);
  pane.press("q");
  await pane.until(/code=0[\s\S]*code=0/);
  await startIn(pane, [], /3 {2}quit$/);
  pane.press("1");
  await pane.until(/Please make it follow the\s+README[\s\S]*ready$/);
  pane.press("C-c");
  pane.press("C-c");
  await pane.until(/code=0[\s\S]*code=0[\s\S]*code=0/);
});

it("set-up from the first screen goes right on into a session, and the next start finds its profile", async () => {
  const server = await startRawServer(async ({ request, write, end }) => {
    const list = JSON.stringify({ data: [{ id: "small", context_length: 65_536 }, { id: "large" }] });
    const answer = { choices: [{ index: 0, delta: { content: "I am here" }, finish_reason: "stop" }] };
    if (request.line.startsWith("GET")) await write(head(200, { "content-type": "application/json" }), list);
    else await write(streamHead, event(answer), event("[DONE]"));
    end();
  });
  onTestFinished(() => server.close());
  const pane = await openPane(product(), 80, 40);
  await startIn(pane, [], /3 {2}quit$/);
  pane.press("2");
  for (const [question, answer] of [
    ["Whose model", "openai-compatible"],
    ["Base URL", server.url],
    ["Name of the variable", "-"],
    ["Model: number", "2"],
    ["Name of this profile", "mine"],
    ["Start with mine", "y"],
  ] as const) {
    await pane.until(new RegExp(`${question}[^❯]*❯$`));
    pane.type(answer);
    pane.press("Enter");
  }
  await pane.until(/MiniCode [\d.]+ · small[\s\S]*ready$/);
  for (const again of [false, true]) {
    pane.type("hello");
    pane.press("Enter");
    await pane.until(/I am here[\s\S]*ready$/);
    pane.type("/quit");
    pane.press("Enter");
    await pane.until(again ? /code=0[\s\S]*code=0/ : /code=0/);
    if (!again) await startIn(pane, []);
  }
});
