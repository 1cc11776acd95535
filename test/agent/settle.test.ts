// After a crash: what was begun is settled from the disk, the model's conversation is valid, and nothing is carried out again.
import { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unheardPatches } from "../../src/agent/settle.ts";
import { toOpenAiMessages } from "../../src/model/openai-messages.ts";
import type { CommandContent, PatchContent, PlanContent } from "../../src/protocol/proposal.ts";
import type { RecordBody } from "../../src/protocol/record.ts";
import { readRecord } from "../../src/record/read.ts";
import { openSession } from "../../src/record/session.ts";
import { verifyRecord } from "../../src/record/verify.ts";
import type { FileChange, FileState } from "../../src/tools/contract.ts";
import { patchContent } from "../../src/tools/patch-proposal.ts";
import { digestOf, sha256 } from "../../src/util/hash.ts";
import { call, type TestAgent, testAgent } from "../helpers/agent.ts";

const passing = { checks: { required: [["node", "-e", "process.exit(0)"]] } };
type Content = PatchContent | CommandContent | PlanContent;

interface Crashed {
  root: string;
  data: string;
  folder: string;
}

/** A session whose process died after the entries that `begun` makes of its one proposal. */
async function crash(
  content: (root: string, blobs: Parameters<typeof patchContent>[3]) => Promise<Content | null>,
  begun: (seq: number) => RecordBody[] = (seq) => [{ type: "effect_begun", seq }],
): Promise<Crashed> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "minicode-crash-")));
  const data = mkdtempSync(join(tmpdir(), "minicode-data-"));
  const header = { version: "0", workspace: root, profile: "p", model: "m" };
  const session = await openSession(join(data, "sessions"), { kind: "new" }, header, (text) => text);
  const { record, blobs } = session;
  const shown = await content(root, blobs);
  if (shown === null) throw new Error("nothing to propose");
  const proposal = { seq: 1, digest: digestOf(shown), content: shown };
  const calls = [{ id: "c1", name: "apply_patch", arguments: "{}" }];
  const entries: RecordBody[] = [
    { type: "task", text: "go", mode: "edit", guided: false, tree: "t" },
    { type: "message", message: { role: "user", text: "go" } },
    { type: "message", message: { role: "assistant", text: "", calls } },
    { type: "proposal", proposal },
    { type: "decision", decision: { seq: 1, digest: proposal.digest, verdict: "approve", by: "user" } },
    ...begun(1),
  ];
  for (const entry of entries) await record.append(entry);
  await session.close();
  return { root, data, folder: join(data, "sessions", record.id) };
}

function state(text: string): FileState {
  const bytes = Buffer.from(text);
  return { bytes, hash: sha256(bytes), mode: 0o644, links: 1 };
}

/** a.txt from "a\n" to "A\n", and new.txt made. */
const changes: FileChange[] = [
  { path: "a.txt", before: state("a\n"), after: { bytes: Buffer.from("A\n"), mode: 0o644 } },
  { path: "new.txt", before: null, after: { bytes: Buffer.from("new\n"), mode: 0o644 } },
];

function patchCrash(disk: { a: string; made: string | null }, begun?: (seq: number) => RecordBody[]) {
  return crash(async (root, blobs) => {
    writeFileSync(join(root, "a.txt"), disk.a);
    if (disk.made !== null) writeFileSync(join(root, "new.txt"), disk.made);
    return patchContent(changes, "r", null, blobs);
  }, begun);
}

function resume(at: Crashed, steps: Parameters<typeof testAgent>[0]["steps"]): Promise<TestAgent> {
  return testAgent({
    ...{ root: at.root, data: at.data, session: { kind: "latest" } },
    ...{ guided: false, settings: passing, steps },
  });
}

async function bodies(folder: string): Promise<RecordBody[]> {
  return (await readRecord(folder)).entries.map(({ body }) => body);
}

const news =
  "[MiniCode] MiniCode was stopped before it could say so: the patch of a.txt, new.txt is in place.";

describe("a patch that was begun", () => {
  it("and is whole on disk is done: it is on record, the model hears of it, its debt is offered the check", async () => {
    const at = await patchCrash({ a: "A\n", made: "new\n" });
    const t = await resume(at, [{ when: { lastUserContains: `go on\n\n${news}` }, text: "ok" }]);
    expect(t.agent.settled).toEqual([
      { seq: 1, outcome: "done", detail: undefined, paths: ["a.txt", "new.txt"] },
    ]);
    const facts = (await bodies(at.folder)).flatMap((b) => (b.type === "fact" ? [b.fact] : []));
    expect(facts).toMatchObject([
      { type: "applied", seq: 1, path: "a.txt" },
      { type: "applied", seq: 1, path: "new.txt", before: null },
    ]);
    expect(await t.run("go on")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(t.events[0]).toMatchObject({ type: "task-started", text: "go on" });
  });

  it("and is nowhere on disk is cancelled, and leaves no debt", async () => {
    const at = await patchCrash({ a: "a\n", made: null });
    const t = await resume(at, [{ text: "ok" }]);
    expect(t.agent.settled).toMatchObject([{ outcome: "cancelled" }]);
    expect(await t.run("go on")).toEqual({ end: "answered", work: { state: "none" } });
    expect(t.model.requests[0]?.messages.at(-1)).toEqual({ role: "user", text: "go on" });
  });

  it("and stands half is rolled back to the bytes before", async () => {
    const at = await patchCrash({ a: "a\n", made: "new\n" });
    const t = await resume(at, [{ text: "ok" }]);
    expect(t.agent.settled).toMatchObject([
      { outcome: "rolled_back", detail: expect.stringContaining("new.txt") },
    ]);
    expect(readFileSync(join(at.root, "a.txt"), "utf8")).toBe("a\n");
    expect(existsSync(join(at.root, "new.txt"))).toBe(false);
    expect(await t.run("go on")).toEqual({ end: "answered", work: { state: "none" } });
  });

  it("and was changed by somebody since is left as it is, and the detail says so", async () => {
    const at = await patchCrash({ a: "somebody's\n", made: "new\n" });
    const t = await resume(at, [{ text: "ok" }]);
    expect(t.agent.settled).toMatchObject([{ outcome: "failed", detail: expect.stringContaining("a.txt") }]);
    expect(readFileSync(join(at.root, "a.txt"), "utf8")).toBe("somebody's\n");
    expect(existsSync(join(at.root, "new.txt"))).toBe(true);
    // What stands of it is ours: it owes its check.
    expect(await t.run("go on")).toEqual({ end: "answered", work: { state: "verified" } });
    const facts = (await bodies(at.folder)).flatMap((b) => (b.type === "fact" ? [b.fact] : []));
    expect(facts.filter(({ type }) => type === "applied")).toMatchObject([{ path: "new.txt" }]);
    expect(await verifyRecord(at.folder)).toMatchObject({ ok: true, problems: [] });
  });

  it("and had ended before its result was recorded is told to the model, too", async () => {
    const at = await patchCrash({ a: "A\n", made: "new\n" }, (seq) => [
      { type: "effect_begun", seq },
      { type: "effect_ended", seq, outcome: "done", settled: false },
    ]);
    const unused = await resume(at, []);
    expect(unused.agent.settled).toEqual([]);
    await unused.agent.close();
    const t = await resume(at, [{ when: { lastUserContains: news }, text: "ok" }, { text: "ok" }]);
    await t.run("go on");
    await t.run("again");
    expect(t.model.requests[1]?.messages.at(-1)).toEqual({ role: "user", text: "again" });
  });
});

describe("a command that was begun", () => {
  it("is cancelled and never run again; what it may have changed is a debt", async () => {
    const command: CommandContent = {
      kind: "command",
      reason: "r",
      commands: [
        {
          argv: ["touch", "ran"],
          cwd: ".",
          cwdId: "0:0",
          program: "/usr/bin/touch",
          programId: "0",
          timeoutMs: 1_000,
          inputs: [],
          scripts: [],
        },
      ],
      traits: [],
      environment: [],
      sandbox: { kind: "none", why: "it is switched off" },
    };
    const at = await crash(async () => command);
    const t = await resume(at, [{ text: "ok" }, { text: "ok" }]);
    expect(t.agent.settled).toEqual([{ seq: 1, outcome: "cancelled", detail: undefined, paths: [] }]);
    expect(await t.run("go on")).toEqual({ end: "answered", work: { state: "verified" } });
    expect(t.proposals("command")).toHaveLength(1);
    expect(await t.run("and now")).toEqual({ end: "answered", work: { state: "none" } });
    expect(existsSync(join(at.root, "ran"))).toBe(false);
  });
});

it("the cut-off task gets its outcome, once, and the record stays whole", async () => {
  const at = await patchCrash({ a: "A\n", made: "new\n" });
  for (let i = 0; i < 2; i++) {
    const t = await resume(at, []);
    expect(t.agent.settled).toHaveLength(i === 0 ? 1 : 0);
    await t.agent.close();
  }
  const outcomes = (await bodies(at.folder)).flatMap((b) => (b.type === "outcome" ? [b.outcome] : []));
  expect(outcomes).toMatchObject([
    { end: "internal_error", work: { state: "unverified", why: "not_offered" } },
  ]);
  expect(await verifyRecord(at.folder)).toMatchObject({ ok: true, problems: [] });
});

it("the resumed conversation answers every call and lets the model work on", async () => {
  const at = await patchCrash({ a: "a\n", made: null });
  const t = await resume(at, [call("read_file", { path: "a.txt" }), { text: "ok" }]);
  await t.run("go on");
  const [first, second] = t.model.requests.map(({ messages }) => toOpenAiMessages(messages));
  expect(first?.map((m) => m.role)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
  expect(first?.[3]).toMatchObject({
    tool_call_id: "c1",
    content: expect.stringContaining("was stopped before this call ended"),
  });
  expect(second?.slice(0, first?.length)).toEqual(first);
  expect(second?.map((m) => m.role).slice(-2)).toEqual(["assistant", "tool"]);
});

it.each([
  ["both results are missing", 0, ["b.txt"]],
  ["one of two is missing", 1, ["b.txt"]],
  ["none is missing", 2, []],
])("a patch is told anew only when %s", (_name, heard, told) => {
  const calls = ["c1", "c2"].map((id) => ({ id, name: "apply_patch", arguments: "{}" }));
  const written = { before: null, after: { hash: "0".repeat(64), size: 1 }, added: 1, removed: 0 };
  const of: RecordBody[] = [
    { type: "fact", fact: { type: "applied", seq: 1, path: "a.txt", ...written } },
    { type: "message", message: { role: "assistant", text: "", calls } },
    { type: "fact", fact: { type: "applied", seq: 2, path: "b.txt", ...written } },
    ...calls.slice(0, heard).map(({ id }): RecordBody => {
      return { type: "message", message: { role: "tool", callId: id, outcome: "ok", content: "" } };
    }),
    { type: "message", message: { role: "user", text: "next" } },
  ];
  expect(unheardPatches(of.map((body, i) => ({ n: i + 1, at: "", hash: "", body })))).toEqual(told);
});
