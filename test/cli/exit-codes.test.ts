// What a shell reads off a run: the table, and the ways to each code through the command line in this process.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodeOf, exitCodeOfError } from "../../src/cli/exit-codes.ts";
import { run } from "../../src/cli/run.ts";
import { ModelError } from "../../src/model/error.ts";
import type { ScriptStep } from "../../src/model/script.ts";
import {
  type TaskOutcome,
  taskEndSchema,
  unverifiedWhySchema,
  type Work,
} from "../../src/protocol/outcome.ts";
import { AppError } from "../../src/util/errors.ts";
import { fakeIo } from "./fake-io.ts";

const none: Work = { state: "none" };
const works: Work[] = [
  none,
  { state: "verified" },
  { state: "check_failed" },
  ...unverifiedWhySchema.options.map((why): Work => ({ state: "unverified", why })),
];

describe("the table", () => {
  it.each([
    [{ state: "none" }, 0],
    [{ state: "verified" }, 0],
    [{ state: "check_failed" }, 5],
    ...unverifiedWhySchema.options.map((why) => [{ state: "unverified", why }, 4] as const),
  ] as const)("answered with %j is %i", (work, code) => {
    expect(exitCodeOf({ end: "answered", work })).toBe(code);
  });

  it("answered with nothing done because nobody could approve is 3", () => {
    expect(exitCodeOf({ end: "answered", work: none, unattended: true })).toBe(3);
    expect(exitCodeOf({ end: "answered", work: { state: "verified" }, unattended: true })).toBe(0);
  });

  it("any other end decides alone, whatever the work is worth", () => {
    const codes = { rejected: 3, cancelled: 130, budget: 53, model_failed: 1, internal_error: 1 };
    for (const [end, code] of Object.entries(codes)) {
      for (const work of works) expect(exitCodeOf({ end: taskEndSchema.parse(end), work })).toBe(code);
    }
    const retryable: TaskOutcome = { end: "model_failed", work: none, retryable: true };
    expect(exitCodeOf(retryable)).toBe(75);
  });

  it.each([
    ["E_USAGE", 2],
    ["E_PROFILE", 2],
    ["E_SETTINGS", 2],
    ["E_SCRIPT", 2],
    ["E_TOOLS", 2],
    ["E_SESSION", 2],
    ["E_WORKSPACE", 2],
    ["E_OFFLINE", 2],
    ["E_LOCKED", 1],
    ["E_RECORD", 1],
  ])("%s is %i", (code, exit) => {
    expect(exitCodeOfError(new AppError(code, "m"))).toBe(exit);
  });

  it("anything else that was thrown is 1", () => {
    expect(exitCodeOfError(new TypeError("x"))).toBe(1);
    expect(exitCodeOfError("x")).toBe(1);
    expect(exitCodeOfError(new ModelError("server", "busy"))).toBe(1);
  });
});

const patch: ScriptStep = {
  calls: [{ name: "apply_patch", arguments: { reason: "r", changes: [{ path: "n.txt", content: "x\n" }] } }],
};
const command: ScriptStep = {
  calls: [{ name: "run_command", arguments: { argv: ["node", "-v"], reason: "r" } }],
};
const check = (exit: number) => ({ checks: { required: [["node", "-e", `process.exit(${exit})`]] } });
const done: ScriptStep = { text: "done" };
const edit = ["--mode", "edit"];

describe("with nobody there", () => {
  it.each<[string, ScriptStep[], string[], object, number, boolean]>([
    ["no word: nothing is written", [patch, done], edit, {}, 3, false],
    ["a plan nobody could approve", [patch], [...edit, "--guided", "--yes", "apply,run"], {}, 3, false],
    ["the plan alone: no patch", [patch, done], [...edit, "--guided", "--yes", "plan"], {}, 3, false],
    ["a command of the model's own", [command, done], [...edit, "--yes", "plan,apply,run"], {}, 3, false],
    ["apply without run", [patch, done], [...edit, "--yes", "apply"], check(0), 4, true],
    ["no check there", [patch, done], [...edit, "--yes", "apply,run"], {}, 4, true],
    ["all words", [patch, done], [...edit, "--guided", "--yes", "plan,apply,run"], check(0), 0, true],
    [
      "a check that fails to the end",
      [patch, done, done, done],
      [...edit, "--yes", "apply,run"],
      check(1),
      5,
      true,
    ],
    ["steps used up", [patch], [...edit, "--yes", "apply,run", "--max-steps", "1"], check(0), 53, true],
    ["mode read has no way to write", [patch, done], ["--yes", "plan,apply,run"], {}, 0, false],
    ["mode propose asks nobody", [patch, done], ["--mode", "propose"], {}, 0, false],
    [
      "a model that may work later",
      [{ error: { kind: "rate_limit", retryAfterMs: 90_000 } }],
      [],
      {},
      75,
      false,
    ],
    ["a model that will not", [{ error: { kind: "auth" } }], [], {}, 1, false],
  ])("%s", async (_name, steps, flags, settings, code, written) => {
    const t = fakeIo({}, settings);
    const exit = await t.print(steps, ...flags);
    expect({ exit, err: exit === code ? "" : t.stderr() }).toEqual({ exit: code, err: "" });
    expect(existsSync(join(t.workspace, "n.txt"))).toBe(written);
  });

  it("a question over an open debt leaves it open, and says so", async () => {
    const t = fakeIo({}, check(0));
    expect(await t.print([patch, done], ...edit, "--yes", "apply")).toBe(4);
    expect(await t.print([{ text: "It makes n.txt." }], "--continue")).toBe(4);
    expect(t.stdout()).toBe("done\nIt makes n.txt.\n");
    expect(await t.print([done], "--continue", ...edit, "--yes", "run")).toBe(0);
  });
});

describe("what the user must mend is 2, and leaves no session", () => {
  it.each<[string, string[], object, string]>([
    ["a workspace that is none", ["--workspace", "absent"], {}, "there is no such folder"],
    ["a session that is none", ["--resume", "x"], {}, '"x" is not a session id'],
    ["a session that is gone", ["--resume", "20261130-231500-1a2b3c"], {}, "there is no session"],
    ["nothing to continue", ["--continue"], {}, "no earlier session"],
    ["a tool that is none", [], { tools: ["read_fle"] }, "Did you mean read_file?"],
    ["a setting that is none", [], { maxStep: 3 }, "maxSteps"],
    ["guided without edit", ["--guided"], {}, "--guided needs --mode edit"],
    ["both continue and resume", ["--continue", "--resume", "x"], {}, "either --continue or --resume"],
  ])("%s", async (_name, flags, settings, message) => {
    const t = fakeIo({}, settings);
    expect(await t.print([done], ...flags)).toBe(2);
    expect(t.stderr()).toContain(message);
    expect(t.stdout()).toBe("");
    expect(existsSync(t.sessions) ? readdirSync(t.sessions) : []).toEqual([]);
  });

  it("without a model: what to do, on stderr", async () => {
    const t = fakeIo();
    expect(await run(["-p", "go"], t.io)).toBe(2);
    expect(t.stderr()).toContain("No model is connected");
  });

  it("a script that cannot be read", async () => {
    const t = fakeIo({ "s.json": '{"steps":[{"txt":"x"}]}' });
    const script = join(t.workspace, "s.json");
    expect(await run(["-p", "go", "--profile", "scripted", "--script", script], t.io)).toBe(2);
    expect(t.stderr()).toContain('did you mean "text"?');
  });
});

it("a record that is damaged is 1 and says which", async () => {
  const t = fakeIo();
  await t.print([done]);
  const [id = ""] = readdirSync(t.sessions);
  expect(await run(["verify"], t.io)).toBe(0);
  const file = join(t.sessions, id, "record.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").replace('"text":"done"', '"text":"dune"'));
  expect(await run(["verify", id], t.io)).toBe(1);
  expect(t.stdout()).toContain("NOT ok");
});
