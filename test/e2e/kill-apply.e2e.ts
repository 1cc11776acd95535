// kill -9 at 100 random moments of an APPLY (issue 2): each file whole old or whole new, resume settles, nothing applied twice.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Product, product, script } from "./product.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 100);
const FILES = ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt"];
const body = (mark: string, name: string): string => `${mark} ${name}\n`.repeat(2_000);

function reset(p: Product): void {
  for (const name of FILES) writeFileSync(join(p.cwd, name), body("old", name));
}

it(`leaves whole files after ${ROUNDS} kills, and settles each`, async () => {
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
  const seed = Number(process.env["KILL_SEED"] ?? 1);
  let state = seed;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const sessions = join(p.data, "minicode", "sessions");
  const known = new Set<string>();
  const settled: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    reset(p);
    const child = p.start([
      "-p",
      "go",
      "--mode",
      "edit",
      "--yes",
      "apply",
      "--profile",
      "scripted",
      "--script",
      patch,
    ]);
    await new Promise<void>((resolve) => {
      let stderr = "";
      child.stderr?.setEncoding("utf8").on("data", (text) => {
        stderr += text;
        if (stderr.includes("APPLY patch")) resolve();
      });
      child.on("exit", () => resolve());
    });
    // An APPLY of these files takes some 20 ms from its word to its last rename.
    await sleep(random() * 30);
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await gone;
    }
    const whole = FILES.map((name) => {
      const text = readFileSync(join(p.cwd, name), "utf8");
      return text === body("old", name) ? "old" : text === body("new", name) ? "new" : "torn";
    });
    expect(whole).not.toContain("torn");
    const session = readdirSync(sessions).find((id) => !known.has(id)) ?? "";
    known.add(session);
    const resumed = await p.run([
      ...["-p", "and now?", "--resume", session, "--mode", "edit", "--yes", "apply", "--profile", "scripted"],
      ...["--script", after, "--output-format", "stream-json"],
    ]);
    expect(resumed.stderr).toBe("");
    const init = JSON.parse(resumed.stdout.split("\n")[0] ?? "");
    const outcome = init.settled[0]?.outcome ?? "not begun or complete";
    settled[outcome] = (settled[outcome] ?? 0) + 1;
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
  console.info(`${ROUNDS} kills, seed ${seed}:`, settled);
});
