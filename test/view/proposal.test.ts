import { describe, expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { confirmWords, type ProposalContent } from "../../src/protocol/proposal.ts";
import { gateLine, gateReminder, proposalRows } from "../../src/view/proposal.ts";
import { panel, patch, plan, proposed, run, text } from "./helpers.ts";

const others: ProposalContent[] = [
  { kind: "rounds", used: 2, failing: ["adds › works"] },
  { kind: "fetch", reason: "Read the manual.", url: "https://example.org/\u202egpj.exe" },
  { kind: "memory", reason: "It will matter again.", action: "remember", text: "Tests need Node 20." },
  { kind: "memory", reason: "No longer true.", action: "forget", text: "Tests need Node 18." },
  { kind: "delegate", reason: "Apart from the rest.", task: "Find all callers.\nList them.", maxSteps: 12 },
  { kind: "read", tool: "read_file", arguments: '{"path": "a\u001b[2Jb"}' },
];

it("names a proposal by its number and the first 8 digits of its digest", () => {
  const proposal = proposed(plan());
  expect(text(proposalRows(proposal, en)).split("\n")[0]).toBe(`Plan #3 ${proposal.digest.slice(0, 8)}`);
});

describe("the plan panel", () => {
  it("shows summary, steps, scope and check", () => {
    expect(panel(plan())).toMatchInlineSnapshot(`
      "Plan #3 <digest>
        Let the parser take empty input.
          1. Return an empty list.
          2. Add a test
            for it.
        files:
          src/parse.ts
          test/
        check: npm test"
    `);
  });

  it("says that the model chose the check", () => {
    const { projectCheck: _, ...none } = plan({ check: ["node", "-e", "require('./a')"] });
    expect(panel(none)).toContain(`  check: node -e "require('./a')" (chosen by the model)`);
  });

  it("says that there is none", () => {
    const { projectCheck: _, ...none } = plan();
    expect(panel(none)).toContain("  check: none, this will end unverified");
  });

  it("shows what a new plan adds and drops, and where a plan came from", () => {
    expect(panel(plan({ origin: "step", added: ["test/"], dropped: ["src/old.ts"] }))).toMatchInlineSnapshot(`
      "Plan #3 <digest>
        The model wrote no plan; this is its first step.
        Let the parser take empty input.
          1. Return an empty list.
          2. Add a test
            for it.
        files:
          src/parse.ts
          + test/ (new in the plan)
          - src/old.ts (no longer in the plan)
        check: npm test"
    `);
  });

  it("T01, T02: hides nothing in hostile text", () => {
    const summary = `\u001b]52;c;SGk=\u0007\u001b[2J\u001b[Hfine${"\n".repeat(300)}Type CONTINUE to go ahead`;
    const hostile = plan({
      summary,
      steps: ["safe\revil", "漢字を直す 👨‍👩‍👧"],
      files: ["a\u202etxt.b", "a\u200bb", "a\nb"],
      projectCheck: "npm test\u001bc",
    });
    expect(panel(hostile)).toMatchInlineSnapshot(`
      "Plan #3 <digest>
        ␛]52;c;SGk=␇␛[2J␛[Hfine
        (299 empty lines)
        Type CONTINUE to go ahead
          1. safe␍evil
          2. 漢字を直す 👨‍👩‍👧
        files:
          a\\u{202E}txt.b
          a\\u{200B}b
          a␊b
        check: npm test␛c"
    `);
  });
});

it("shows the other kinds as labels and values", () => {
  expect(others.map(panel).join("\n\n")).toMatchInlineSnapshot(`
    "Repairs used up #3 <digest>
      The check still fails after 2 repairs.
      failing: adds › works

    Fetch #3 <digest>
      why: Read the manual.
      host: example.org
      address: https://example.org/\\u{202E}gpj.exe

    Remember #3 <digest>
      why: It will matter again.
      text: Tests need Node 20.

    Forget #3 <digest>
      why: No longer true.
      text: Tests need Node 18.

    Delegate #3 <digest>
      why: Apart from the rest.
      task:
        Find all callers.
        List them.
      steps: 12

    Read #3 <digest>
      tool: read_file
      arguments: {"path": "a␛[2Jb"}"
  `);
});

describe("the gate line", () => {
  it("says the word, and what CANCEL does", () => {
    const check = run({ check: { origin: "manifest", label: "npm test", baseline: false } });
    const lines = [plan(), patch(), run(), check, ...others].map((content) =>
      text([gateLine(proposed(content), en)]),
    );
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "Type CONTINUE to go ahead, CANCEL to end the task, or CANCEL followed by what to change
      Type APPLY to apply it, CANCEL to refuse, or CANCEL followed by a reason
      Type RUN to run it, CANCEL to refuse, or CANCEL followed by a reason
      Type RUN to run it, CANCEL to leave it for now, or CANCEL followed by a reason
      Type CONTINUE for one more repair, CANCEL to stop here, or CANCEL followed by a last hint to the model
      Type RUN to fetch it, CANCEL to refuse, or CANCEL followed by a reason
      Type APPLY to do it, CANCEL to refuse, or CANCEL followed by a reason
      Type APPLY to do it, CANCEL to refuse, or CANCEL followed by a reason
      Type RUN to start it, CANCEL to refuse, or CANCEL followed by a reason
      Type RUN to allow it, CANCEL to refuse, or CANCEL followed by a reason"
    `);
  });

  it("has the word of its kind, as has the reminder", () => {
    for (const content of [plan(), patch(), run(), ...others]) {
      const word = confirmWords[content.kind];
      expect(text([gateLine(proposed(content), en)])).toContain(`Type ${word} `);
      expect(text([gateReminder(proposed(content), en)])).toContain(`waits for ${word} or CANCEL`);
    }
  });
});
