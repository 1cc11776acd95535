// T01: nothing that a model, a file, a name or a program writes steers the terminal.
import { expect, it } from "vitest";
import { keys, testSession } from "../helpers/session.ts";

const attacks = [
  "\x1b]52;c;SGk=\x07",
  "\x1b[2J\x1b[H",
  "\x1b]0;pwn\x07",
  "\u009b31m",
  "\x1b[6n",
  "safe\revil",
  "\x1bc",
  "\x1b]0;unfinished title",
].join("|");
/** What of it must never reach the terminal; the session's own sequences are none of these. */
const forbidden = /\x1b\]52|\x1b\[2J|\x1b\[3J|\x1b\]0;|\u009b|\x1b\[6n|\x1bc|safe\revil/;

it("T01: model text, file content, diff, search hit, command output, error and answer are shown, and harmless", async () => {
  const t = await testSession({
    files: {
      [`dir/name\x1b]0;pwn\x07\x1b[2J\u009b31m`]: "x",
      "a.txt": `first\n${attacks}\n`,
      "say.mjs": `process.stdout.write(${JSON.stringify(`${attacks}\nend of output\n`)}); process.exit(1);\n`,
    },
    steps: [
      { text: `looking ${attacks}`, calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
      {
        calls: [
          { name: "list_dir", arguments: { path: "dir" } },
          { name: "search_text", arguments: { pattern: "safe" } },
          { name: "read_file", arguments: { path: `no${attacks}` } },
        ],
      },
      {
        calls: [
          {
            name: "apply_patch",
            arguments: {
              reason: `why ${attacks}`,
              changes: [{ path: "a.txt", edits: [{ old: "first", new: `1st ${attacks}` }] }],
            },
          },
        ],
      },
      {
        calls: [{ name: "run_command", arguments: { argv: ["node", "say.mjs", attacks], reason: attacks } }],
      },
      { text: `answer ${attacks} end` },
    ],
  });
  t.enter("/details");
  t.enter("go");
  await t.panel("CONTINUE");
  t.enter("CONTINUE");
  await t.panel("APPLY");
  t.enter("APPLY");
  await t.panel("RUN");
  t.enter("RUN");
  await t.taskEnd();
  t.terminal.paste(attacks);
  await t.terminal.shows("unfinished title");
  t.terminal.sendInput(keys.ctrlO);
  t.terminal.sendInput(keys.enter);
  await t.terminal.shows("This task");
  expect(t.terminal.raw).not.toMatch(forbidden);
  // The diff is exact: every hidden character has a visible form, and the text behind an unfinished sequence is there.
  const all = t.terminal.everything().join("\n");
  expect(all).toContain("␛]52;c;SGk=");
  expect(all).toContain("unfinished title");
  expect(all).toContain("end of output");
});
