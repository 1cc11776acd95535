// Finds a project's own test from the manifest nearest to what changed (design §5.3). Used by run_check and the loop.
import { posix } from "node:path";
import type { CheckOrigin, Command } from "../protocol/proposal.ts";
import { ok, type Refusal, type Result, refuse } from "../protocol/refusal.ts";
import { bindCommand } from "./command.ts";
import { foldersUpward } from "./package-scripts.ts";
import type { PathGate } from "./path-gate.ts";
import type { ProjectTest } from "./project-test.ts";
import { projectTests } from "./project-tests.ts";

export interface CheckOptions {
  timeoutMs: number;
  env: Readonly<Record<string, string>>;
  /** `checks.required` of the settings: they come before anything the workspace says. */
  required?: readonly (readonly string[])[];
  /** The check that the approved plan named, for a project that has none. */
  planned?: readonly string[];
}

export interface Check {
  origin: CheckOrigin;
  /** As the user would type it: `npm test`, `(cd packages/a && npm test)`. */
  label: string;
  /** To be run in order; the first that does not exit 0 ends it. */
  commands: Command[];
}

/**
 * The required check: the settings', else the test nearest to each of `changed` (workspace paths; none means the root),
 * else the plan's, else null. Refused when there is one that cannot be run, with the reason.
 */
export async function discoverCheck(
  gate: PathGate,
  changed: readonly string[],
  options: CheckOptions,
): Promise<Result<Check | null>> {
  const required = (options.required ?? []).map((argv) => rootTest(argv));
  if (required.length > 0) {
    const bound = await bindAll(gate, "settings", required, options);
    return bound.ok ? bound : bySettings(bound.refusal);
  }
  const tests = await nearestTests(gate, changed, options);
  if (!tests.ok) return tests;
  if (tests.value.length > 0) return bindAll(gate, "manifest", tests.value, options);
  if (options.planned !== undefined && options.planned.length > 0) {
    return bindAll(gate, "plan", [rootTest(options.planned)], options);
  }
  return ok(null);
}

/** Only the user can put it right. */
function bySettings({ outcome, message }: Refusal): Result<never> {
  return refuse(outcome, `The user's setting checks.required cannot be run. ${message}`);
}

function rootTest(argv: readonly string[]): ProjectTest {
  return { folder: ".", argv, label: argv.map(quoted).join(" "), inputs: [], scripts: [], languages: /./ };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Each once, in path order. A folder whose manifests name no test, or are broken, is passed over for the one above it. */
async function nearestTests(
  gate: PathGate,
  changed: readonly string[],
  options: CheckOptions,
): Promise<Result<ProjectTest[]>> {
  const known = new Map<string, Promise<Result<ProjectTest[]>>>();
  function testsOf(folder: string): Promise<Result<ProjectTest[]>> {
    const tests = known.get(folder) ?? projectTests(gate, folder, options.env);
    known.set(folder, tests);
    return tests;
  }

  const chosen = new Set<ProjectTest>();
  for (const path of changed.length === 0 ? ["."] : changed) {
    let broken: Result<never> | null = null;
    let found: ProjectTest | undefined;
    for (const folder of foldersUpward(posix.dirname(path))) {
      const tests = await testsOf(folder);
      if (!tests.ok) {
        broken ??= tests;
        continue;
      }
      found = tests.value.find(({ languages }) => languages.test(path)) ?? tests.value[0];
      if (found !== undefined) break;
    }
    if (found !== undefined) chosen.add(found);
    else if (broken !== null) return broken;
  }
  const inOrder = (test: ProjectTest) => `${test.folder}\0${test.label}`;
  return ok([...chosen].sort((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1)));
}

async function bindAll(
  gate: PathGate,
  origin: CheckOrigin,
  tests: readonly ProjectTest[],
  { timeoutMs, env }: CheckOptions,
): Promise<Result<Check>> {
  const commands: Command[] = [];
  for (const { argv, folder, inputs, scripts } of tests) {
    const bound = await bindCommand(gate, { argv, cwd: folder, timeoutMs, env, inputs, scripts });
    if (!bound.ok) return bound;
    commands.push(bound.value);
  }
  const labels = tests.map(({ folder, label }) =>
    folder === "." ? label : `(cd ${quoted(folder)} && ${label})`,
  );
  return ok({ origin, label: labels.join(" && "), commands });
}
