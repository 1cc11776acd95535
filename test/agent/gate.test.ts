// The gate that answers from flags: what each word given in advance approves, and whose word is recorded.
import { describe, expect, it } from "vitest";
import { type Approval, flagGate } from "../../src/agent/gate.ts";
import { commandContentSchema, type Proposal, type ProposalContent } from "../../src/protocol/proposal.ts";

const command = commandContentSchema.parse({
  kind: "command",
  reason: "",
  commands: [
    {
      argv: ["make"],
      cwd: ".",
      cwdId: "1:1",
      program: "/usr/bin/make",
      programId: "1",
      timeoutMs: 1,
      inputs: [],
      scripts: [],
    },
  ],
  traits: [],
  environment: [],
  sandbox: { kind: "none", why: "it is switched off" },
});
const lists = { steps: [], files: [], added: [], dropped: [] };
const contents: Record<string, ProposalContent> = {
  plan: { kind: "plan", summary: "s", origin: "call", ...lists },
  rounds: { kind: "rounds", used: 2, failing: [] },
  patch: { kind: "patch", reason: "", files: [], outsideScope: [] },
  check: { ...command, check: { origin: "manifest", label: "make", baseline: false } },
  command,
  fetch: { kind: "fetch", reason: "", url: "https://example.invalid" },
  memory: { kind: "memory", reason: "", action: "remember", text: "t" },
  delegate: { kind: "delegate", reason: "", task: "t", maxSteps: 1 },
  read: { kind: "read", tool: "read_file", arguments: "{}" },
};

/** What each flag approves; everything else is denied. */
const approves: Record<Approval, string[]> = {
  plan: ["plan", "rounds"],
  apply: ["patch", "memory"],
  run: ["check"],
};

const answer = (given: Approval[], content: ProposalContent) => {
  const proposal: Proposal = { seq: 1, digest: "0".repeat(64), content };
  return flagGate(new Set(given)).ask(proposal, new AbortController().signal);
};

describe.each(Object.keys(contents))("%s", (name) => {
  const content = contents[name];
  if (content === undefined) throw new Error(name);

  it.each(["plan", "apply", "run"] as const)("with --yes %s", async (flag) => {
    const expected = approves[flag].includes(name)
      ? { verdict: "approve", by: `flag:${flag}` }
      : { verdict: "deny", by: "mode:unattended" };
    expect(await answer([flag], content)).toEqual(expected);
  });

  it("without a word is denied", async () => {
    expect(await answer([], content)).toEqual({ verdict: "deny", by: "mode:unattended" });
  });
});
