// kill -9 at 100 random moments of an APPLY (issue 2): each file whole old or whole new, resume settles, nothing applied twice.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { randomFrom } from "../fuzz/random.ts";
import { type Product, product, script } from "./product.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 100);
const SEED = Number(process.env["KILL_SEED"] ?? 1);
/** Side by side, each in a project of its own: most of a round is waiting for a process. */
const LANES = 2;
const FILES = ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt"];
const body = (mark: string, name: string): string => `${mark} ${name}\n`.repeat(2_000);

function reset(p: Product): void {
  for (const name of FILES) writeFileSync(join(p.cwd, name), body("old", name));
}

// Three starts of the product for each kill: on a slow machine that is minutes.
it(`leaves whole files after ${ROUNDS} kills, and settles each`, { timeout: 600_000 }, async () => {
  const lanes = Array.from({ length: LANES }, (_, lane) => kills(SEED + lane, Math.ceil(ROUNDS / LANES)));
  const settled = (await Promise.all(lanes)).flat();
  expect(settled.length).toBeGreaterThanOrEqual(ROUNDS);
  const counts: Record<string, number> = {};
  for (const outcome of settled) counts[outcome] = (counts[outcome] ?? 0) + 1;
  console.info(`${settled.length} kills, seeds from ${SEED}:`, counts);
});

/** How each of so many kills was settled. */
async function kills(seed: number, rounds: number): Promise<string[]> {
  const p = product(Object.fromEntries(FILES.map((name) => [name, body("old", name)])));
  const patch = script(p, "patch", [
    { calls: FILES.map((path) => ({ name: "read_file", arguments: { path } })) },
    {
      calls: [
        {
          name: "apply_patch",
          arguments: {
            reason: "all or nothing",
            changes: FILES.map((path) => ({ path, edits: [{ old: "old", new: "new", all: true }] })),
          },
        },
      ],
    },
    { text: "done" },
  ]);
  const after = script(p, "after", [{ text: "settled" }]);
  const random = randomFrom(seed);
  /** A run of the task, at the moment of its word. */
  const begin = async (): Promise<ChildProcess> => {
    reset(p);
    const child = p.start([
      ...["-p", "go", "--mode", "edit", "--yes", "apply"],
      ...["--profile", "scripted", "--script", patch],
    ]);
    await new Promise<void>((resolve) => {
      let stderr = "";
      child.stderr?.setEncoding("utf8").on("data", (text) => {
        stderr += text;
        if (stderr.includes("APPLY patch")) resolve();
      });
      child.on("exit", () => resolve());
    });
    return child;
  };
  // How long a machine takes for an APPLY differs tenfold: the kills are spread over what it takes here.
  const whole = await begin();
  const ended = once(whole, "exit");
  const start = performance.now();
  const applied = () => FILES.every((name) => readFileSync(join(p.cwd, name), "utf8") === body("new", name));
  await vi.waitUntil(applied, { timeout: 20_000, interval: 1 });
  const wholeMs = performance.now() - start;
  await ended;
  const sessions = join(p.data, "minicode", "sessions");
  const known = new Set(readdirSync(sessions));
  const settled: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const child = await begin();
    await sleep(random.number(Math.ceil(wholeMs)));
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await gone;
    }
    const states = FILES.map((name) => {
      const text = readFileSync(join(p.cwd, name), "utf8");
      return text === body("old", name) ? "old" : text === body("new", name) ? "new" : "torn";
    });
    expect(states).not.toContain("torn");
    const session = readdirSync(sessions).find((id) => !known.has(id)) ?? "";
    known.add(session);
    const resumed = await p.run([
      ...["-p", "and now?", "--resume", session, "--mode", "edit", "--yes", "apply", "--profile", "scripted"],
      ...["--script", after, "--output-format", "stream-json"],
    ]);
    expect(resumed.stderr).toBe("");
    const init = JSON.parse(resumed.stdout.split("\n")[0] ?? "");
    const outcome = init.settled[0]?.outcome ?? "not begun or complete";
    settled.push(outcome);
    const now = new Set(FILES.map((name) => readFileSync(join(p.cwd, name), "utf8").slice(0, 3)));
    expect(now.size).toBe(1);
    if (outcome === "done") expect([...now]).toEqual(["new"]);
    if (outcome === "rolled_back" || outcome === "cancelled") expect([...now]).toEqual(["old"]);
    const left = ["", "sub"].flatMap((folder) => readdirSync(join(p.cwd, folder)));
    expect({ outcome, left: left.filter((name) => name.startsWith(".minicode-")) }).toEqual({
      outcome,
      left: [],
    });
    const verified = await p.run(["verify", session]);
    expect(verified.stdout).toContain("ok: the chain is whole");
  }
  return settled;
}
