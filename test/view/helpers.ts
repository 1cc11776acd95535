// What the tests of the view share: contents built with defaults, and rows as the text a terminal gets.
import { en } from "../../src/i18n/en.ts";
import type {
  BlobRef,
  Command,
  CommandContent,
  PatchContent,
  PatchFile,
  PlanContent,
  Proposal,
  ProposalContent,
} from "../../src/protocol/proposal.ts";
import type { Receipt } from "../../src/protocol/receipt.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { digestOf, sha256 } from "../../src/util/hash.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { proposalRows } from "../../src/view/proposal.ts";
import type { Row } from "../../src/view/row.ts";

export function ref(text: string): BlobRef {
  return { hash: sha256(text), size: Buffer.byteLength(text) };
}

export function plan(over: Partial<PlanContent> = {}): PlanContent {
  return {
    kind: "plan",
    summary: "Let the parser take empty input.",
    steps: ["Return an empty list.", "Add a test\nfor it."],
    files: ["src/parse.ts", "test/"],
    projectCheck: "npm test",
    origin: "call",
    added: [],
    dropped: [],
    ...over,
  };
}

export function patchFile(over: Partial<PatchFile> = {}): PatchFile {
  return {
    path: "src/a.ts",
    before: ref("before"),
    after: ref("after"),
    mode: 0o644,
    added: 1,
    removed: 1,
    hunks: [
      { oldStart: 9, oldLines: 3, newStart: 9, newLines: 3, lines: [" one", "-two", "+zwei", " three"] },
    ],
    notes: [],
    ...over,
  };
}

export function patch(over: Partial<PatchContent> = {}): PatchContent {
  return {
    kind: "patch",
    reason: "Empty input must not throw.",
    files: [patchFile()],
    outsideScope: [],
    ...over,
  };
}

export function command(over: Partial<Command> = {}): Command {
  return {
    argv: ["npm", "test"],
    cwd: ".",
    cwdId: "1:2",
    program: "/usr/bin/npm",
    programId: "1:3",
    timeoutMs: 120_000,
    inputs: [],
    scripts: [],
    ...over,
  };
}

export function run(over: Partial<CommandContent> = {}): CommandContent {
  return {
    kind: "command",
    reason: "See whether it works.",
    commands: [command()],
    traits: [],
    environment: ["CI", "PATH"],
    sandbox: { kind: "none", why: "it is switched off" },
    ...over,
  };
}

export function receipt(over: Partial<Receipt> = {}): Receipt {
  return {
    outcome: { end: "answered", work: { state: "none" } },
    files: [],
    checks: [],
    treeIsChecked: null,
    scope: null,
    drift: [],
    refusals: [],
    failed: [],
    fetched: [],
    git: null,
    overclaim: null,
    steps: 1,
    usage: { task: noUsage, session: noUsage },
    session: "20250101-abc",
    chainHead: "0123456789abcdef".repeat(4),
    ...over,
  };
}

export function proposed(content: ProposalContent): Proposal {
  return { seq: 3, digest: digestOf(content), content };
}

export function text(rows: readonly Row[]): string {
  return rowsToText(rows, { color: false });
}

/** A proposal's panel as text, its digest left out. */
export function panel(content: ProposalContent): string {
  return text(proposalRows(proposed(content), en)).replace(/^(.* #3) [0-9a-f]{8}$/m, "$1 <digest>");
}
