// T03: no text is too wide for the screen. Whatever is shown at whatever width, the session lives, no row is wider than the
// terminal, and the content is back after widening.
import { visibleWidth } from "@mariozechner/pi-tui";
import { expect, it } from "vitest";
import { keys, type Session, testSession } from "../helpers/session.ts";

const wide = [
  "漢字".repeat(50),
  "👨‍👩‍👧🇩🇪❤️👍🏽".repeat(20),
  "a\tb\tc".repeat(20),
  "\u3164".repeat(10),
  "w".repeat(500),
].join("\n");

/** Resizes and waits for a frame of the new size. */
async function resize({ terminal }: Session, columns: number): Promise<void> {
  if (terminal.columns === columns) return;
  const written = terminal.raw.length;
  terminal.resize(columns, 24);
  await terminal.until(() => terminal.raw.length > written, `a frame of ${columns} columns`);
}

/** The rows of the last frame, as they were written. */
function lastFrame({ terminal }: Session): string[] {
  const frame = terminal.raw.split("\x1b[?2026h").at(-1) ?? "";
  return frame
    .replace(/\x1b\[[?0-9;]*[a-zA-Z]/g, "")
    .split(/\r?\n|\r/)
    .filter((row) => row !== "");
}

it.each([120, 20, 7, 2])("T03: answer, output, diff, panel and composer at %i columns", async (columns) => {
  const t = await testSession({
    columns: 120,
    guided: false,
    files: { "a.txt": `${wide}\nend\n` },
    steps: [
      { text: `draft ${wide}`, calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
      {
        calls: [
          {
            name: "apply_patch",
            arguments: {
              reason: wide,
              changes: [{ path: "a.txt", edits: [{ old: "end", new: `${wide}\nnew end` }] }],
            },
          },
        ],
      },
      { text: `answer ${wide}` },
    ],
  });
  t.enter("/details");
  t.enter("go");
  await t.panel("APPLY");
  // Short enough to be text in the composer instead of a block with a label.
  t.terminal.paste(wide.replaceAll("\n", " ").slice(0, 990));
  await t.terminal.until(() => t.terminal.text().includes("漢字漢字"), "the paste");
  await resize(t, columns);
  for (const row of lastFrame(t)) expect(visibleWidth(row)).toBeLessThanOrEqual(columns);
  if (columns < 10) expect(lastFrame(t)).toEqual(["too narrow".slice(0, columns)]);
  for (const width of [20, 120]) await resize(t, width);
  // Other columns, other lines: the panel begins anew, and it is whole.
  await t.panel("APPLY");
  expect(t.terminal.text()).toContain("Patch #1");
  expect(t.terminal.text()).toContain("漢字漢字");
  await resize(t, columns);
  t.terminal.sendInput(keys.escape);
  if (columns < 10) await resize(t, 20);
  t.enter("APPLY");
  await t.terminal.until(() => t.events.some(({ type }) => type === "task-ended"), "the end");
  await resize(t, 80);
  await t.terminal.shows("ready");
  expect(t.read("a.txt")).toBe(`${wide}\n${wide}\nnew end\n`);
});

it("T03: resized to 20 columns and back while a draft is streamed", async () => {
  const t = await testSession({
    columns: 120,
    before: "shell line\r\n",
    steps: [{ text: `${wide}\n\n`.repeat(6), chunk: 60, delayMs: 3 }],
  });
  t.enter("go");
  await t.terminal.shows("draft:");
  for (const width of [20, 2, 7, 120]) await resize(t, width);
  await t.taskEnd();
  expect(t.terminal.everything()[0]).toBe("shell line");
  expect(t.terminal.everything().join("")).toContain("漢字".repeat(50).slice(0, 100));
  expect(t.terminal.raw).not.toMatch(/\x1b\[[23]J/);
});
