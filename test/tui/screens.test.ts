// What every screen looks like at three sizes, as files to be read by people: test/tui/screens/. `npx vitest run -u` rewrites them.
import { expect, it } from "vitest";
import type { PatchContent } from "../../src/protocol/proposal.ts";
import { keys, type Session } from "../helpers/session.ts";
import { command, patch, patchFile, plan, receipt, run } from "../view/helpers.ts";
import { type Play, scene } from "./scene.ts";

const longPatch: PatchContent = patch({
  reason: "The whole table moves into one place, so that a change of a fee is one line.",
  files: [
    patchFile({
      path: "src/fees.ts",
      added: 60,
      removed: 1,
      hunks: [
        {
          oldStart: 1,
          oldLines: 2,
          newStart: 1,
          newLines: 61,
          lines: [
            " export const fees = {",
            "-};",
            ...Array.from(
              { length: 59 },
              (_, i) => `+  "hour ${i + 1}": ${(i + 1) * 200}, // cents for ${i + 1} hours`,
            ),
            "+};",
          ],
        },
      ],
    }),
  ],
});

const check = run({
  reason: "",
  check: { origin: "manifest", label: "npm test", baseline: false },
  commands: [
    command({
      argv: ["npm", "test", "--script-shell=/bin/sh"],
      program: "/usr/lib/node_modules/npm/bin/npm-cli.js",
      timeoutMs: 600_000,
      scripts: [
        { name: "pretest", body: "tsc --noEmit" },
        { name: "test", body: "node --test test/*.test.js" },
      ],
      inputs: [
        { path: "package.json", hash: "0".repeat(64) },
        { path: "test/fee.test.js", hash: "0".repeat(64) },
      ],
    }),
  ],
  traits: [{ trait: "runs-project-code", because: "a check is the project's own code" }],
  environment: [
    "CI",
    "HOME",
    "LANG",
    "NO_COLOR",
    "PATH",
    "SHELL",
    "TERM",
    "XDG_CONFIG_HOME",
    "npm_config_audit",
  ],
});

const repair = patch({
  reason: "The maximum holds for each day: count whole days apart from the rest.",
  repair: { round: 1, of: 2, failing: ["fee > two days cost at most 40.00", "fee > a started hour counts"] },
});

const draft = `Two things are wrong:

- hours are **rounded** instead of counted as started
- there is no daily maximum

${Array.from({ length: 60 }, (_, i) => `Paragraph ${i + 1} of a long explanation that goes on and on.`).join("\n\n")}`;

const verified = receipt({
  outcome: { end: "answered", work: { state: "verified" } },
  files: [{ path: "src/fee.js", change: "edited", added: 9, removed: 3 }],
  checks: [
    {
      label: "npm test",
      origin: "manifest",
      result: "failed",
      exit: 1,
      failing: ["two days"],
      baseline: false,
    },
    { label: "npm test", origin: "manifest", result: "passed", exit: 0, failing: [], baseline: false },
  ],
  treeIsChecked: true,
  scope: { files: ["src/fee.js"], outside: [] },
  git: { branch: "main", changed: ["src/fee.js"] },
  steps: 6,
  session: "20250101-120000-abcdef",
});

const used = {
  ...{ requests: 6, uncounted: 0, unpriced: 0 },
  ...{ input: 64_200, cached: 51_300, output: 3_120, costUsd: 0.0123 },
};

/** Waits for the signal: the task stays as it is until the test ends. */
const untilCancelled = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

interface Screen {
  play: Play;
  reach(session: Session): Promise<void>;
}

const task = "Please make the fee follow the README, and fix the failing tests while you are at it.";
const ask = (content: Parameters<Parameters<Play>[0]["ask"]>[0], word: string): Screen => ({
  play: async ({ ask, step, call }) => {
    step(1);
    call("read_file", "read src/fee.js", "1  export function fee(minutes) {");
    await ask(content);
    return {};
  },
  reach: (session) => session.panel(word),
});

const screens: Record<string, Screen> = {
  start: { play: async () => ({}), reach: async () => {} },
  "plan panel": ask(plan(), "CONTINUE"),
  "long patch, first page": ask(longPatch, "APPLY"),
  "long patch, all seen, Tab pressed": {
    ...ask(longPatch, "APPLY"),
    reach: async ({ terminal, panel }) => {
      await panel("APPLY");
      terminal.sendInput(keys.tab);
      await terminal.shows("Tab fills in the word");
      while (!terminal.text().includes("Tab fills in APPLY")) {
        const before = terminal.text();
        terminal.sendInput(keys.pageDown);
        await terminal.until(() => terminal.text() !== before, "the next page");
      }
      terminal.sendInput(keys.tab);
      await terminal.until(() => terminal.viewport().includes("APPLY"), "the word in the composer");
    },
  },
  "check panel": ask(check, "RUN"),
  "repair panel": ask(repair, "APPLY"),
  "rounds used up": ask(
    { kind: "rounds", used: 2, failing: ["fee > two days cost at most 40.00"] },
    "CONTINUE",
  ),
  "not the word": {
    ...ask(repair, "APPLY"),
    reach: async ({ terminal, panel, enter }) => {
      await panel("APPLY");
      enter("apply");
      await terminal.shows("Not sent");
    },
  },
  "a streamed draft, and a message that waits": {
    play: async ({ emit, step, signal }) => {
      step(1);
      emit({ type: "text", text: draft });
      await untilCancelled(signal);
      return { outcome: { end: "cancelled", work: { state: "none" } } };
    },
    reach: async ({ terminal, enter }) => {
      await terminal.shows("draft:");
      enter("and mind the tests");
      await terminal.shows("waiting: and mind the tests");
    },
  },
  "a running check": {
    play: async ({ emit, ask, signal }) => {
      await ask(check);
      emit({
        type: "output",
        seq: 1,
        text: "ok 1 - a started hour counts\nok 2 - half an hour is an hour\n",
      });
      emit({ type: "output", seq: 1, text: "not ok 3 - two days\n" });
      await untilCancelled(signal);
      return { outcome: { end: "cancelled", work: { state: "none" } } };
    },
    reach: async ({ terminal, panel, enter }) => {
      await panel("RUN");
      enter("RUN");
      await terminal.shows("not ok 3");
    },
  },
  "inspector, one call open": {
    play: async ({ call, emit, step }) => {
      step(1);
      emit({ type: "draft-retracted", text: "I look first.", reason: "calls" });
      call("read_file", "read src/fee.js", "1  export function fee(minutes) {\n2    return 0;\n3  }");
      call("search_text", 'search "at most" in README.md', "README.md:12: A day costs at most 20.00.");
      return {};
    },
    reach: async (session) => {
      await session.taskEnd();
      session.terminal.sendInput(keys.ctrlO);
      await session.terminal.shows("This task's calls");
      session.terminal.sendInput(keys.enter);
      await session.terminal.shows("A day costs");
    },
  },
  "/help": {
    play: async () => ({}),
    reach: async ({ terminal, enter }) => {
      enter("/help");
      await terminal.shows("in a panel's word");
    },
  },
  "receipt after the end": {
    play: async ({ emit, step }) => {
      step(6);
      emit({
        type: "usage",
        usage: { input: 12_345, output: 820 },
        costUsd: 0.0123,
        task: used,
        session: used,
      });
      emit({ type: "answer", text: "The fee now follows the README: every **started** hour counts." });
      return { ...verified, usage: { task: used, session: used } };
    },
    reach: (session) => session.taskEnd(),
  },
};

const withoutTask = new Set(["start", "/help"]);

it.each([
  [120, 40],
  [80, 24],
  [40, 20],
])("screens at %i columns and %i rows", async (columns, rows) => {
  const shown: string[] = [];
  for (const [name, { play, reach }] of Object.entries(screens)) {
    const session = await scene({ columns, rows, before: "$ git status\r\n$ mini\r\n" }, play);
    if (!withoutTask.has(name)) session.enter(task);
    await reach(session);
    const { terminal } = session;
    shown.push(`# ${name}`, "", ...terminal.viewport().map((line) => `|${line}`), "");
    expect(terminal.raw).not.toMatch(/\x1b\[[23]J/);
    expect(terminal.everything().slice(0, 2)).toEqual(["$ git status", "$ mini"]);
    await session.leave();
  }
  // The seconds of an activity are the only thing that time decides.
  const text = shown.join("\n").replace(/^(\|· .*?) \d+ s\b/gm, "$1 0 s");
  await expect(text).toMatchFileSnapshot(`screens/${columns}x${rows}.txt`);
});
