// What the manifests of one folder say about how its tests are run. Used by checks.ts.
import { posix } from "node:path";
import { ok, type Result } from "../protocol/refusal.ts";
import { buildTests, runnerTest } from "./build-tests.ts";
import { filesMatching } from "./inputs.ts";
import { foldersUpward, type Manifest, readManifest } from "./package-scripts.ts";
import type { PathGate } from "./path-gate.ts";
import { joinPath } from "./path-walk.ts";
import { findProgram, onPath } from "./program.ts";
import type { ProjectTest } from "./project-test.ts";

/** The tests of a workspace folder, in the order of preference where the language does not decide. */
export async function projectTests(
  gate: PathGate,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Result<ProjectTest[]>> {
  const manifest = await readManifest(gate, folder);
  if (!manifest.ok) return manifest;
  const tests = [
    await scriptTest(gate, manifest.value, env),
    await cargoTest(gate, folder),
    await goTest(gate, folder),
    await pythonTest(gate, folder, env),
    ...(await buildTests(gate, folder)),
    await nodeTest(gate, manifest.value),
    await installedRunner(gate, manifest.value),
    await makeTest(gate, folder),
  ];
  return ok(tests.filter((test) => test !== null));
}

const javaScript = /\.(?:[cm]?[jt]sx?|vue|svelte|css|html)$|(?:^|\/)package\.json$/;

/** What `npm init` writes when nobody says otherwise. */
const placeholder = /echo\s+\\?["']Error: no test specified/;

function testScript(manifest: Manifest | null): string | null {
  const body = manifest?.scripts["test"]?.trim() ?? "";
  return body === "" || placeholder.test(body) ? null : body;
}

/** Where a project could choose another shell or preload code for its scripts, npm is told not to (D11). */
const npmFlags = process.platform === "win32" ? [] : ["--script-shell=/bin/sh", "--node-options="];

async function scriptTest(
  gate: PathGate,
  manifest: Manifest | null,
  env: Readonly<Record<string, string>>,
): Promise<ProjectTest | null> {
  if (manifest === null || testScript(manifest) === null) return null;
  const wanted = await packageManager(gate, manifest);
  const manager = (await onPath(wanted, env["PATH"] ?? "")) === null ? "npm" : wanted;
  // `bun test` is bun's own runner, whatever the script says.
  const words = manager === "bun" ? ["run", "test"] : ["test"];
  const argv = [manager, ...words, ...(manager === "npm" ? npmFlags : [])];
  // Scripts and inputs of package managers are bound with the command itself.
  return {
    folder: manifest.folder,
    argv,
    label: [manager, ...words].join(" "),
    inputs: [],
    scripts: [],
    languages: javaScript,
  };
}

/** The manager that the manifest names, or whose lockfile is nearest. */
async function packageManager(gate: PathGate, manifest: Manifest): Promise<string> {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(manifest.packageManager)?.[1];
  if (named !== undefined) return named;
  for (const folder of foldersUpward(manifest.folder)) {
    const locks = await filesMatching(
      gate,
      folder,
      /^(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/,
    );
    const manager = managers.get(posix.basename(locks[0] ?? ""));
    if (manager !== undefined) return manager;
  }
  return "npm";
}

const managers: ReadonlyMap<string, string> = new Map([
  ["package-lock.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
]);

/** A package without a test script, but with files for Node's own runner, where that looks for them. */
async function nodeTest(gate: PathGate, manifest: Manifest | null): Promise<ProjectTest | null> {
  if (manifest === null || testScript(manifest) !== null) return null;
  const { folder } = manifest;
  const candidates = [
    ...(await filesMatching(gate, joinPath(folder, "test"), /\.[cm]?js$/)),
    ...(await filesMatching(gate, folder, /^test(?:-.+)?\.[cm]?js$|[._-]test\.[cm]?js$/)),
    ...(await filesMatching(gate, joinPath(folder, "src"), /[._-]test\.[cm]?js$/)),
  ];
  const inputs = [manifest.path, ...candidates];
  for (const path of candidates) {
    if (/["'`]node:test["'`]/.test(await textOf(gate, path))) {
      return {
        folder,
        argv: ["node", "--test"],
        label: "node --test",
        inputs,
        scripts: [],
        languages: javaScript,
      };
    }
  }
  return null;
}

/** A package without a test script and without tests for Node's own runner, but with another one. */
async function installedRunner(gate: PathGate, manifest: Manifest | null): Promise<ProjectTest | null> {
  return manifest === null || testScript(manifest) !== null ? null : runnerTest(gate, manifest);
}

async function cargoTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  const inputs = await filesMatching(gate, folder, /^(?:Cargo\.toml|build\.rs|rust-toolchain(?:\.toml)?)$/);
  if (!inputs.includes(joinPath(folder, "Cargo.toml"))) return null;
  inputs.push(...(await filesMatching(gate, joinPath(folder, ".cargo"), /^config(?:\.toml)?$/)));
  return {
    folder,
    argv: ["cargo", "test"],
    label: "cargo test",
    inputs,
    scripts: [],
    languages: /\.rs$|Cargo\.toml$/,
  };
}

async function goTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  const inputs = await filesMatching(gate, folder, /^go\.(?:mod|work)$/);
  if (!inputs.includes(joinPath(folder, "go.mod"))) return null;
  const argv = ["go", "test", "./..."];
  return { folder, argv, label: argv.join(" "), inputs, scripts: [], languages: /\.go$|go\.mod$/ };
}

/** A project without a trace of tests has no check, whatever its manifests are. */
async function pythonTest(
  gate: PathGate,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<ProjectTest | null> {
  const manifests = await filesMatching(gate, folder, pythonManifest);
  const inFolder = await filesMatching(gate, folder, pythonTestFile);
  const below = [
    ...(await filesMatching(gate, joinPath(folder, "tests"), pythonTestFile)),
    ...(await filesMatching(gate, joinPath(folder, "test"), pythonTestFile)),
  ];
  if (inFolder.length + below.length === 0 && !(await mentionPytest(gate, manifests))) return null;
  // pytest belongs in the project's top folder: below that, imports would resolve otherwise.
  if (manifests.length === 0 && folder !== ".") {
    if (below.length === 0) return null;
    for (const above of foldersUpward(folder).slice(1)) {
      if ((await filesMatching(gate, above, pythonManifest)).length > 0) return null;
    }
  }
  const conftests = [...inFolder, ...below].filter((path) => posix.basename(path) === "conftest.py");
  const inputs = [...manifests, ...conftests];
  const argv = [await pythonFor(gate, folder, env), "-m", "pytest", "-q"];
  return { folder, argv, label: argv.join(" "), inputs, scripts: [], languages: /\.pyi?$/ };
}

const pythonManifest = /^(?:pyproject\.toml|pytest\.ini|setup\.(?:cfg|py)|tox\.ini|requirements.*\.txt)$/;
const pythonTestFile = /^(?:test_.+|.+_test|conftest)\.py$/;

async function mentionPytest(gate: PathGate, manifests: readonly string[]): Promise<boolean> {
  for (const path of manifests) {
    if (posix.basename(path) === "pytest.ini" || /\bpytest\b/.test(await textOf(gate, path))) return true;
  }
  return false;
}

/** The project's own virtual environment nearest to the folder, else what PATH has. */
async function pythonFor(gate: PathGate, folder: string, env: Record<string, string>): Promise<string> {
  const searchPath = env["PATH"] ?? "";
  for (const above of foldersUpward(folder)) {
    for (const name of [".venv", "venv"]) {
      const python = posix.join(posix.relative(folder, above), name, "bin", "python");
      const found = await findProgram(gate, python, folder, searchPath);
      if (found.ok) return python;
    }
  }
  return (await onPath("python3", searchPath)) === null ? "python" : "python3";
}

async function makeTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  for (const name of ["GNUmakefile", "makefile", "Makefile"]) {
    const path = joinPath(folder, name);
    const text = await textOf(gate, path);
    for (const target of ["test", "check"]) {
      // The rule's line and its recipe: what follows it indented by a tab.
      const rule = new RegExp(`^${target}[ \\t]*:(?![:=]).*\\n(?:(?:\\t.*)?\\n)*`, "m")
        .exec(`${text}\n`)?.[0]
        .trimEnd();
      if (rule === undefined) continue;
      const scripts = [{ name: `make ${target}`, body: rule }];
      return {
        folder,
        argv: ["make", target],
        label: `make ${target}`,
        inputs: [path],
        scripts,
        languages: /$^/,
      };
    }
    if (text !== "") return null;
  }
  return null;
}

/** A file's text, or "" when the gate does not give it. */
async function textOf(gate: PathGate, path: string): Promise<string> {
  const file = await gate.readFile(path);
  return file.ok && file.value !== null ? file.value.bytes.toString("utf8") : "";
}
