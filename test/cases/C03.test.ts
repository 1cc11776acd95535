import { expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { proposalRows } from "../../src/view/proposal.ts";
import { call } from "../helpers/agent.ts";
import { runCase } from "./support.ts";

it.each([
  "git status; rm keep",
  "git status && rm keep",
  "git status\nrm keep",
  "git status $(rm keep)",
  "git status `rm keep`",
  "git status > keep",
  "ls | tee keep",
  "ls & rm keep",
  "cat <(rm keep)",
  "(rm keep)",
])("C03: %j asks, is shown whole, and a no leaves everything as it is", async (command) => {
  const c = await runCase({
    guided: false,
    files: { keep: "kept\n" },
    answer: () => "reject",
    steps: [call("run_shell", { command, reason: "r" })],
  });
  const [proposal] = c.proposals();
  if (!proposal) throw new Error("nothing was asked");
  const shown = rowsToText(proposalRows(proposal, en), { color: false });
  // A newline is a visible line break, and the rest of the text stands on the next row.
  for (const line of command.replace("\n", "\\n\n").split("\n")) expect(shown).toContain(line);
  expect(shown).toContain(/rm/.test(command) ? "destroy work (rm)" : "change files (");
  expect(c.proposals()).toHaveLength(1);
  expect(c.ended.map(({ outcome }) => outcome)).toEqual(["rejected"]);
  expect(c.untouched).toBe(true);
  expect(c.read("keep")).toBe("kept\n");
});

it("C03: what only reads, in every part of it, is not what the first word says", async () => {
  const c = await runCase({
    guided: false,
    files: { keep: "kept\n" },
    steps: [call("run_shell", { command: "ls && cat keep | wc -l", reason: "r" })],
  });
  expect(c.proposals()).toEqual([]);
  expect(c.ended).toMatchObject([{ outcome: "ok", content: expect.stringContaining("keep\n1") }]);
});
