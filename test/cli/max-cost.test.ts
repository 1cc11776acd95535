// `--max-cost` and its setting on the command line: kept, or refused before anything is opened.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.ts";
import type { ScriptStep } from "../../src/model/script.ts";
import { type FakeIo, fakeIo } from "./fake-io.ts";

const usage = { input: 1_000, output: 100 };
const steps: ScriptStep[] = [
  { calls: [{ name: "list_dir", arguments: {} }], usage },
  { text: "done", usage },
];

/** The scripted profile with prices; a request of `usage` costs $0.002. */
function priced(settings: object = {}): FakeIo {
  const t = fakeIo({}, settings);
  mkdirSync(join(t.config, "profiles"), { recursive: true });
  const profile = {
    ...{ id: "scripted", label: "Scripted", provider: "scripted", scriptEnv: "MINICODE_SCRIPT" },
    pricing: { input: 1, output: 10, asOf: "2026-01-01" },
  };
  writeFileSync(join(t.config, "profiles", "scripted.json"), JSON.stringify(profile));
  return t;
}

describe("with prices", () => {
  it("the task ends with the budget's exit code and says what it cost", async () => {
    const t = priced();
    expect(await t.print(steps, "--max-cost", "0.0015")).toBe(53);
    expect(t.stderr()).toContain("Stopped by a limit: this task has cost $0.002, and its limit is $0.0015");
    expect(t.stderr()).toContain("tokens: 1,000 in, 100 out · cost $0.002\n");
  });

  it("the setting is the default, the flag beats it", async () => {
    expect(await priced({ maxCostUsd: 0.001 }).print(steps)).toBe(53);
    expect(await priced({ maxCostUsd: 0.001 }).print(steps, "--max-cost", "1")).toBe(0);
  });

  it("JSON and its lines have cost and counts", async () => {
    const sums = { requests: 2, uncounted: 0, unpriced: 0, input: 2_000, output: 200, costUsd: 0.004 };
    const one = priced();
    await one.print(steps, "--output-format", "json");
    expect(JSON.parse(one.stdout())).toMatchObject({
      usage: sums,
      receipt: { usage: { task: sums, session: sums } },
    });
    const lines = priced();
    await lines.print(steps, "--output-format", "stream-json");
    const events = lines
      .stdout()
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    const used = events.filter((event) => event["type"] === "usage");
    expect(used).toHaveLength(2);
    expect(used[1]).toEqual({ type: "usage", usage, costUsd: 0.002, task: sums, session: sums });
  });
});

describe("without prices", () => {
  it("the flag is refused, says what to add, and leaves no session", async () => {
    const t = fakeIo();
    expect(await t.print(steps, "--max-cost", "1")).toBe(2);
    expect(t.stderr()).toContain('profile "scripted" has no pricing, so a cost limit cannot be kept');
    expect(t.stderr()).toContain('Add "pricing"');
    expect(existsSync(t.sessions) ? readdirSync(t.sessions) : []).toEqual([]);
  });

  it("so is the setting, for a model that can cost something", async () => {
    const t = fakeIo({}, { maxCostUsd: 1 });
    Object.assign(t.io.env, {
      MINICODE_OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      MINICODE_OPENAI_MODEL: "m",
    });
    expect(await run(["-p", "go", "--profile", "openai-compatible"], t.io)).toBe(2);
    expect(t.stderr()).toContain("or go without --max-cost and maxCostUsd");
  });

  it("a script costs nothing whatever the setting says", async () => {
    expect(await fakeIo({}, { maxCostUsd: 1 }).print(steps)).toBe(0);
  });
});

it.each(["0", "-1", "=-1", "much"])("--max-cost %s is no amount", async (value) => {
  const t = priced();
  expect(
    await t.print(steps, ...(value.startsWith("=") ? [`--max-cost${value}`] : ["--max-cost", value])),
  ).toBe(2);
  expect(t.stderr()).toContain("--max-cost");
});
