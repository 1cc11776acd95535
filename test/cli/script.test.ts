// A recorded session as a script: played in a copy of the workspace it makes the same calls, which come to the same.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.ts";
import { packageRoot } from "../../src/config/package-root.ts";
import { type Script, type ScriptStep, scriptSchema } from "../../src/model/script.ts";
import type { RecordEntry } from "../../src/protocol/record.ts";
import { readRecord } from "../../src/record/read.ts";
import { testAgent } from "../helpers/agent.ts";
import { event, streamHead } from "../helpers/raw-server.ts";
import { delta, serve } from "../model/ask.ts";
import { type FakeIo, fakeIo } from "./fake-io.ts";

const files = { "a.txt": "one\ntwo\n" };
const read = (path: string): ScriptStep => ({ calls: [{ name: "read_file", arguments: { path } }] });
const edit = (path: string, old: string, now: string): ScriptStep => ({
  calls: [
    { name: "apply_patch", arguments: { reason: "r", changes: [{ path, edits: [{ old, new: now }] }] } },
  ],
});
const passing = { checks: { required: [["node", "-e", "process.exit(0)"]] } };

async function entriesOf(t: FakeIo, id: string | undefined = sessionsOf(t).at(-1)): Promise<RecordEntry[]> {
  return (await readRecord(join(t.sessions, id ?? ""))).entries;
}

function sessionsOf(t: FakeIo): string[] {
  return readdirSync(t.sessions).sort();
}

/** Calls and results of a record, without what is another in every run: times, the marks around output, the folder. */
function work(entries: readonly RecordEntry[]): string[] {
  return entries.flatMap(({ body }) => {
    if (body.type !== "message") return [];
    const { message } = body;
    if (message.role === "assistant")
      return [JSON.stringify([message.text, message.reasoning, message.calls, body.usage, body.stop])];
    if (message.role === "tool") return [`${message.callId} ${message.outcome} ${steady(message.content)}`];
    return [steady(message.text)];
  });
}

function steady(text: string): string {
  return text
    .replaceAll(/\d+\.\d+ ?(?:s|ms)\b|duration_ms [\d.]+/g, "<time>")
    .replaceAll(/\bdata [0-9a-f]{8}\b/g, "data <mark>")
    .replaceAll(/\/\S*\/minicode-cli-\w+/g, "<workspace>");
}

/** The script of a session, written by the command; the latest one's by default. */
async function scriptOf(t: FakeIo, ...words: string[]): Promise<{ file: string; script: Script }> {
  const file = join(t.config, `${Math.random()}.json`);
  expect({ code: await run(["script", ...words, "--out", file], t.io), err: t.stderr() }).toMatchObject({
    code: 0,
  });
  return { file, script: scriptSchema.parse(JSON.parse(readFileSync(file, "utf8"))) };
}

function play(t: FakeIo, file: string, text: string, ...flags: string[]): Promise<number> {
  return run(["-p", text, "--profile", "scripted", "--script", file, ...flags], t.io);
}

describe("played again in a copy", () => {
  it("a whole guided session: plan, patch, failing check, repair, answer", async () => {
    const demo = join(packageRoot(), "demo");
    const inDemo = (): FakeIo => {
      const t = fakeIo();
      cpSync(join(demo, "project"), t.workspace, { recursive: true });
      return t;
    };
    const flags = ["--mode", "edit", "--guided", "--yes", "plan,apply,run"];
    const first = inDemo();
    expect(await play(first, join(demo, "script.json"), "Please mend the fee.", ...flags)).toBe(0);
    const { file, script } = await scriptOf(first);
    expect(script.tasks).toEqual([{ text: "Please mend the fee.", mode: "edit", guided: true, words: [] }]);
    expect(first.stderr()).toContain(
      `minicode -p 'Please mend the fee.' ${flags.join(" ")} --profile scripted`,
    );
    const again = inDemo();
    expect(await play(again, file, "Please mend the fee.", ...flags)).toBe(0);
    const done = work(await entriesOf(first));
    expect(done.filter((line) => line.includes("Applied."))).toHaveLength(2);
    expect(work(await entriesOf(again))).toEqual(done);
    expect(readFileSync(join(again.workspace, "src/fee.js"), "utf8")).toBe(
      readFileSync(join(first.workspace, "src/fee.js"), "utf8"),
    );
  }, 30_000);

  it("a session with an OpenAI-compatible server: its ids, spaces in its arguments, thoughts and counts", async () => {
    const usage = { prompt_tokens: 90, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 64 } };
    const answers: object[][] = [
      [
        { reasoning_content: "First I look." },
        {
          content: "Let me see.",
          tool_calls: [
            { index: 0, id: "fc_8f2", function: { name: "read_file", arguments: '{"path": "a.txt"}' } },
            { index: 1, id: "fc_8f3", function: { name: "read_file", arguments: '{"path": "gone.txt"' } },
          ],
        },
      ],
      [{ content: "It says one and two." }],
    ];
    const server = await serve(async ({ write, end }) => {
      const [last, ...others] = (answers.shift() ?? []).reverse();
      const pieces = [
        ...others.reverse().map((piece) => delta(piece)),
        delta(last, "stop"),
        { choices: [], usage },
      ];
      await write(streamHead, ...pieces.map(event), event("[DONE]"));
      end();
    });
    const first = fakeIo(files);
    Object.assign(first.io.env, { MINICODE_OPENAI_BASE_URL: server.url, MINICODE_OPENAI_MODEL: "m-1" });
    expect(await run(["-p", "What does it say?", "--profile", "openai-compatible"], first.io)).toBe(0);
    const { file, script } = await scriptOf(first);
    expect(script).toMatchObject({
      name: "m-1, recorded",
      steps: [
        { calls: [{ id: "fc_8f2", arguments: '{"path": "a.txt"}' }, { id: "fc_8f3" }] },
        { usage: { input: 90, cached: 64, output: 7 } },
      ],
    });
    const again = fakeIo(files);
    expect(await play(again, file, "What does it say?")).toBe(0);
    expect(work(await entriesOf(again))).toEqual(work(await entriesOf(first)));
  });

  it("several tasks, each in a process of its own", async () => {
    const first = fakeIo(files, passing);
    expect(
      await first.print(
        [read("a.txt"), edit("a.txt", "one", "1"), { text: "Done." }],
        "--mode",
        "edit",
        "--yes",
        "apply,run",
      ),
    ).toBe(0);
    expect(
      await first.print(
        [edit("a.txt", "two", "2"), { text: "Both." }],
        "--continue",
        "--mode",
        "edit",
        "--yes",
        "apply,run",
      ),
    ).toBe(0);
    const { file } = await scriptOf(first);
    const again = fakeIo(files, passing);
    for (const more of [[], ["--continue"]])
      expect(await play(again, file, "go", "--mode", "edit", "--yes", "apply,run", ...more)).toBe(0);
    expect(work(await entriesOf(again))).toEqual(work(await entriesOf(first)));
  });

  it("answers without anything in them, ones that were cut off, and the words that the user said", async () => {
    const first = fakeIo(files);
    const steps: ScriptStep[] = [
      { text: " \n", stop: "length" },
      read("a.txt"),
      { ...edit("a.txt", "one", "1"), stop: "length" },
      edit("a.txt", "one", "1"),
      edit("a.txt", "two", "2"),
      { text: "As you like." },
    ];
    const answers = ["approve", { verdict: "reject", feedback: "Not that one." }, "approve"] as const;
    const session = async (played: readonly ScriptStep[], where: FakeIo) => {
      const given = [...answers];
      const t = await testAgent({
        ...{ root: where.workspace, data: dirname(where.sessions), steps: played, guided: true },
        answer: () => given.shift() ?? "cancel",
      });
      await t.run("change it");
      await t.agent.close();
    };
    await session(steps, first);
    const { script } = await scriptOf(first);
    expect(script.tasks?.[0]?.words).toEqual(["CONTINUE", "CANCEL Not that one.", "APPLY"]);
    expect(script.steps.map(({ stop }) => stop).slice(0, 3)).toEqual(["length", undefined, "length"]);
    expect(script.steps[0]).not.toHaveProperty("text");
    expect(first.stderr()).toContain("minicode --mode edit --guided --profile scripted");
    expect(first.stderr()).toContain(
      "and type there:\n  change it\n  CONTINUE\n  CANCEL Not that one.\n  APPLY\n",
    );
    const again = fakeIo(files);
    await session(script.steps, again);
    expect(work(await entriesOf(again))).toEqual(work(await entriesOf(first)));
  });
});

it("a replay that goes another way is told where, and what was expected", async () => {
  const first = fakeIo(files);
  await first.print([read("a.txt"), { text: "Two lines." }]);
  const { file } = await scriptOf(first);
  const other = fakeIo({ "a.txt": "one\n" });
  expect(await play(other, file, "go")).toBe(1);
  expect(other.stderr()).toContain(
    'step 2: expected result 1 to hold "a.txt · 2 lines · LF", got "a.txt · 1 line · LF',
  );
  const asked = fakeIo(files);
  expect(await play(asked, file, "something else")).toBe(1);
  expect(asked.stderr()).toContain(
    'step 1: expected the last user message to hold "go", got "something else"',
  );
});

describe("secrets", () => {
  const key = ["sk-", "proj-", "a1B2c3D4e5F6g7H8i9J0"].join("");
  const config = (secret: string) => ({
    "config.js": `export const key = "${secret}";\nexport const retries = 1;\n`,
  });
  const patch = edit(
    "config.js",
    `key = "${key}";\nexport const retries = 1;`,
    `key = "${key}";\nexport const retries = 3;`,
  );
  const steps: ScriptStep[] = [
    read("config.js"),
    { text: `Beside ${key} I see retries.`, ...patch },
    { text: "Done." },
  ];
  const flags = ["--mode", "edit", "--yes", "apply"];

  async function recorded(): Promise<FakeIo> {
    const t = fakeIo(config(key));
    const script = join(t.config, `${Math.random()}.json`);
    writeFileSync(script, JSON.stringify({ steps }));
    expect(await play(t, script, "With my own words, three retries.", ...flags)).toBe(4);
    // It is no secret of this process before the script is made, so that the record has it.
    t.io.env["DEPLOY_TOKEN"] = "my own words";
    return t;
  }

  it("are not in the script; stderr says what was redacted, and that a call names it", async () => {
    const t = await recorded();
    expect(await run(["script"], t.io)).toBe(0);
    const text = t.stdout().slice(t.stdout().indexOf("{"));
    expect(text).not.toMatch(/my own words|sk-proj/);
    expect(scriptSchema.parse(JSON.parse(text)).steps[0]?.when?.lastUserContains).toEqual([
      "With ",
      ", three retries.",
    ]);
    const told = t.stderr().slice(t.stderr().indexOf("3 answers, "));
    expect(told).toContain("<redacted:key-1> in 3 places.\n");
    expect(told).toContain("<redacted:DEPLOY_TOKEN> in 1 place.\n");
    expect(told).toContain("Calls name <redacted:key-1>: put the same into the copy of the workspace");
    expect(told).not.toMatch(/my own words|sk-proj/);
  });

  it("in a copy with the placeholder in their place the replay makes the same calls, whoever plays it", async () => {
    const t = await recorded();
    const { file } = await scriptOf(t);
    const again = fakeIo(config("<redacted:key-1>"));
    expect(await play(again, file, "With <redacted:DEPLOY_TOKEN>, three retries.", ...flags)).toBe(4);
    const redacted = work(await entriesOf(t)).map((line) =>
      line.replaceAll(key, "<redacted:key-1>").replaceAll("my own words", "<redacted:DEPLOY_TOKEN>"),
    );
    expect(work(await entriesOf(again))).toEqual(redacted);
    const unlike = fakeIo(config(key));
    expect(await play(unlike, file, "With my own words, three retries.", ...flags)).toBe(1);
    expect(unlike.stderr()).toContain('step 3: expected result 1 to be "ok", got "error"');
  });

  it("that are none are said to be none", async () => {
    const t = fakeIo(files);
    await t.print([{ text: "Hello." }]);
    await scriptOf(t);
    expect(t.stderr()).toContain("Nothing in it looks like a secret.");
  });
});

describe("sessions that did not end well", () => {
  it("an interrupted one is played up to there, and then says that there is no more", async () => {
    const first = fakeIo(files);
    const cancel = new AbortController();
    const t = await testAgent({
      ...{ root: first.workspace, data: dirname(first.sessions), mode: "read", guided: false },
      steps: [
        read("a.txt"),
        () => {
          cancel.abort();
          return { text: "half" };
        },
      ],
    });
    expect(await t.run("go", cancel.signal)).toMatchObject({ end: "cancelled" });
    await t.agent.close();
    const { file, script } = await scriptOf(first);
    expect(script.steps).toHaveLength(1);
    const again = fakeIo(files);
    expect(await play(again, file, "go")).toBe(1);
    expect(again.stderr()).toContain("The script is used up: request 2 came after its 1 steps");
    const done = work(await entriesOf(first));
    expect(done).toHaveLength(3);
    expect(work(await entriesOf(again))).toEqual(done);
  });

  it("one that was cancelled and gone on with is played from task to task", async () => {
    const first = fakeIo(files);
    const cancel = new AbortController();
    const stop: ScriptStep = { text: "half" };
    const t = await testAgent({
      ...{ root: first.workspace, data: dirname(first.sessions), mode: "read", guided: false },
      steps: [
        read("a.txt"),
        () => {
          cancel.abort();
          return stop;
        },
        { text: "Two lines." },
      ],
    });
    await t.run("go", cancel.signal);
    await t.run("and now?");
    await t.agent.close();
    const { file } = await scriptOf(first);
    const again = fakeIo(files);
    expect(await play(again, file, "go")).toBe(1);
    expect(await play(again, file, "and now?", "--continue")).toBe(0);
    expect(work(await entriesOf(again))).toEqual(work(await entriesOf(first)));
  });

  it("a record that was cut off gives what is left of it, and says so", async () => {
    const t = fakeIo(files);
    await t.print([read("a.txt"), read("b.txt"), { text: "Done." }]);
    const [id = ""] = sessionsOf(t);
    const record = join(t.sessions, id, "record.jsonl");
    const lines = readFileSync(record, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes("b.txt"));
    writeFileSync(record, `${lines.slice(0, at + 1).join("\n")}\n${lines[at + 1]?.slice(0, 40)}`);
    const { script } = await scriptOf(t, id.slice(0, 17));
    expect(script.steps).toHaveLength(2);
    expect(t.stderr()).toContain("the end of the session record was cut off");
    expect(readFileSync(record, "utf8")).toContain("b.txt");
  });

  it("one without any answer has nothing to play", async () => {
    const t = fakeIo();
    await t.print([{ error: { kind: "auth" } }]);
    expect(await run(["script"], t.io)).toBe(2);
    expect(t.stderr()).toContain("holds no answer of a model");
    expect(t.stdout()).toBe("");
  });
});

describe("the command line", () => {
  it("takes an id, its beginning, or the latest; says which there are when more than one fits", async () => {
    const t = fakeIo();
    await t.print([{ text: "first" }]);
    await t.print([{ text: "second" }]);
    const [one = "", two = ""] = sessionsOf(t);
    const texts = async (...words: string[]) =>
      (await scriptOf(t, ...words)).script.steps.map(({ text }) => text);
    const byId = await Promise.all([texts(one), texts(two)]);
    expect(byId.flat().sort()).toEqual(["first", "second"]);
    expect(await texts()).toEqual(["second"]);
    expect(await run(["script", one.slice(0, 4)], t.io)).toBe(2);
    expect(t.stderr()).toContain(`2 sessions begin with ${one.slice(0, 4)}`);
    expect(await run(["script", "20991231"], t.io)).toBe(2);
    expect(await run(["script", "../x"], t.io)).toBe(2);
    expect(await run(["script", one, two], t.io)).toBe(2);
    expect(t.stderr()).toContain("script takes one session");
  });

  it("without a session says so", async () => {
    const t = fakeIo();
    expect(await run(["script"], t.io)).toBe(2);
    expect(t.stderr()).toContain("there is no session yet");
  });

  it("writes a private file and overwrites none", async () => {
    const t = fakeIo();
    await t.print([{ text: "hello" }]);
    mkdirSync(join(t.workspace, "out"));
    expect(await run(["script", "--out", "out/s.json"], t.io)).toBe(0);
    const file = join(t.workspace, "out", "s.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "mine");
    expect(await run(["script", "--out", "out/s.json"], t.io)).toBe(2);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(await run(["script", "--out", "absent/s.json"], t.io)).toBe(2);
    expect(t.stderr()).toContain("cannot write");
  });

  it("--out goes with nothing else", async () => {
    const t = fakeIo();
    expect(await t.print([{ text: "x" }], "--out", "f")).toBe(2);
    expect(t.stderr()).toContain("--out goes with minicode script");
  });
});
