// Finding the project's own test, for many shapes of project. Programs are stand-ins; only their names matter here.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Result } from "../../src/protocol/refusal.ts";
import { type Check, type CheckOptions, discoverCheck } from "../../src/workspace/checks.ts";
import { runCommand } from "../../src/workspace/command.ts";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { freely } from "../helpers/sandbox.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
let gate: PathGate;
let env: Record<string, string>;

beforeEach(async () => {
  folder = testFolder();
  gate = await openPathGate(folder.ws);
  env = { PATH: `${join(folder.base, "bin")}:/usr/bin:/bin` };
  provide("npm", "pnpm", "yarn", "node", "cargo", "go", "python3", "make");
});
afterEach(async () => {
  await gate.close();
  folder.remove();
});

/** Puts programs on PATH that print what they were called with. */
function provide(...names: string[]): void {
  mkdirSync(join(folder.base, "bin"), { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder.base, "bin", name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
  }
}

function write(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) folder.write(path, content);
}

function discover(
  changed: string[] = [],
  options: Partial<CheckOptions> = {},
): Promise<Result<Check | null>> {
  return discoverCheck(gate, changed, { timeoutMs: 600_000, env, ...options });
}

async function found(changed: string[] = [], options: Partial<CheckOptions> = {}): Promise<Check> {
  const result = await discover(changed, options);
  if (!result.ok || result.value === null) throw new Error(JSON.stringify(result));
  return result.value;
}

/** "label [argv in folder; …] inputs", or what came instead. */
async function summary(changed: string[] = [], options: Partial<CheckOptions> = {}): Promise<string> {
  const result = await discover(changed, options);
  if (!result.ok) return `${result.refusal.outcome}: ${result.refusal.message}`;
  if (result.value === null) return "none";
  const { label, commands } = result.value;
  const inputs = commands.flatMap((command) => command.inputs.map(({ path }) => path));
  return `${label} [${commands.map(({ argv, cwd }) => `${argv.join(" ")} in ${cwd}`).join("; ")}] ${inputs.join(" ")}`.trim();
}

const withTest = (body: string) => JSON.stringify({ scripts: { test: body } });
const placeholder = withTest('echo "Error: no test specified" && exit 1');
const npm = "npm test --script-shell=/bin/sh --node-options=";

describe("one folder", () => {
  test.each<[string, Record<string, string>, string]>([
    ["nothing", {}, "none"],
    [
      "npm",
      { "package.json": withTest("node t.js"), "t.js": "" },
      `npm test [${npm} in .] package.json t.js`,
    ],
    [
      "npm with what decides it",
      {
        "package.json": withTest("vitest run"),
        ".npmrc": "",
        "vitest.config.mts": "",
        "vite.config.js": "",
        "package-lock.json": "",
        "tsconfig.json": "",
      },
      `npm test [${npm} in .] .npmrc package.json vite.config.js vitest.config.mts`,
    ],
    [
      "pnpm by lockfile",
      { "package.json": withTest("jest"), "pnpm-lock.yaml": "" },
      "pnpm test [pnpm test in .] package.json",
    ],
    [
      "yarn by lockfile",
      { "package.json": withTest("jest"), "yarn.lock": "" },
      "yarn test [yarn test in .] package.json",
    ],
    [
      "the manager that the manifest names",
      { "package.json": '{"packageManager":"pnpm@9.1.0","scripts":{"test":"x"}}', "yarn.lock": "" },
      "pnpm test [pnpm test in .] package.json",
    ],
    ["npm's placeholder", { "package.json": placeholder }, "none"],
    ["an empty script", { "package.json": withTest(" ") }, "none"],
    ["no script, no test", { "package.json": "{}", "test/data.js": "" }, "none"],
    [
      "node:test files",
      {
        "package.json": placeholder,
        "src/a.test.mjs": 'import test from "node:test";',
        "src/b.test.mjs": "",
      },
      "node --test [node --test in .] package.json src/a.test.mjs src/b.test.mjs",
    ],
    [
      "node:test files in test/",
      { "package.json": "{}", "test/all.cjs": "require('node:test')" },
      "node --test [node --test in .] package.json test/all.cjs",
    ],
    ["pytest.ini", { "pytest.ini": "" }, "python3 -m pytest -q [python3 -m pytest -q in .] pytest.ini"],
    [
      "pyproject that mentions pytest",
      { "pyproject.toml": "[tool.pytest.ini_options]\n" },
      "python3 -m pytest -q [python3 -m pytest -q in .] pyproject.toml",
    ],
    ["pyproject without a trace of tests", { "pyproject.toml": "[project]\nname='x'\n", "x.py": "" }, "none"],
    [
      "test files alone",
      { "tests/test_a.py": "", "tests/conftest.py": "", "conftest.py": "" },
      "python3 -m pytest -q [python3 -m pytest -q in .] conftest.py tests/conftest.py",
    ],
    [
      "a test beside the code",
      { "a.py": "", "test_a.py": "" },
      "python3 -m pytest -q [python3 -m pytest -q in .]",
    ],
    [
      "cargo",
      { "Cargo.toml": "", "build.rs": "", ".cargo/config.toml": "" },
      "cargo test [cargo test in .] .cargo/config.toml Cargo.toml build.rs",
    ],
    ["go", { "go.mod": "module x\n" }, "go test ./... [go test ./... in .] go.mod"],
    ["make test", { Makefile: "all:\n\ttrue\ntest: all\n\t./t.sh\n" }, "make test [make test in .] Makefile"],
    ["make check", { GNUmakefile: "check :\n\ttrue" }, "make check [make check in .] GNUmakefile"],
    ["a variable is no target", { Makefile: "test := 1\ntest::=2\n.PHONY: test\n" }, "none"],
  ])("%s", async (_, files, expected) => {
    write(files);
    expect(await summary()).toBe(expected);
  });

  test("pre, test and post are shown, and make's recipe", async () => {
    write({
      "package.json": JSON.stringify({ scripts: { posttest: "c", test: "b", pretest: "a", x: "y" } }),
    });
    expect((await found()).commands[0]?.scripts).toEqual([
      { name: "pretest", body: "a" },
      { name: "test", body: "b" },
      { name: "posttest", body: "c" },
    ]);
    write({ "package.json": "{}", Makefile: "test: build\n\t./a\n\n\t./b\nnext:\n\t./c\n" });
    expect((await found()).commands[0]?.scripts).toEqual([
      { name: "make test", body: "test: build\n\t./a\n\n\t./b" },
    ]);
  });

  test("the language of what changed decides where a folder has several", async () => {
    write({
      "package.json": withTest("jest"),
      "pyproject.toml": "pytest",
      "Cargo.toml": "",
      Makefile: "test:\n",
    });
    expect((await found(["a/b.py"])).label).toBe("python3 -m pytest -q");
    expect((await found(["src/main.rs"])).label).toBe("cargo test");
    expect((await found(["src/a.tsx"])).label).toBe("npm test");
    expect((await found(["README.md"])).label).toBe("npm test");
    expect((await found(["a.py", "b.ts"])).label).toBe("npm test && python3 -m pytest -q");
  });

  test("a virtual environment in the project comes before PATH's python", async () => {
    write({ "pytest.ini": "", "sub/pytest.ini": "" });
    mkdirSync(join(folder.ws, ".venv/bin"), { recursive: true });
    symlinkSync(join(folder.base, "bin/python3"), join(folder.ws, ".venv/bin/python"));
    expect(await summary()).toBe(
      ".venv/bin/python -m pytest -q [.venv/bin/python -m pytest -q in .] pytest.ini",
    );
    const check = await found(["sub/a.py"]);
    expect(check.label).toBe("(cd sub && ../.venv/bin/python -m pytest -q)");
    expect(check.commands[0]?.program).toBe(join(folder.base, "bin/python3"));
  });

  test("a manager that is not there gives way to npm; a runner that is not there is a refusal", async () => {
    write({ "package.json": withTest("jest"), "yarn.lock": "", "sub/Cargo.toml": "" });
    env = { PATH: join(folder.base, "bin2") };
    mkdirSync(join(folder.base, "bin2"));
    symlinkSync(join(folder.base, "bin/npm"), join(folder.base, "bin2/npm"));
    expect((await found()).label).toBe("npm test");
    expect(await summary(["sub/x.rs"])).toBe("error: There is no program cargo in PATH.");
  });
});

describe("nearest to what changed", () => {
  beforeEach(() => {
    write({
      "package.json": withTest("root"),
      "package-lock.json": "",
      "packages/b/package.json": withTest("b"),
      "packages/a b/package.json": withTest("a"),
      "packages/c/package.json": placeholder,
      "packages/c/src/package.json": '{"type":"module"}',
      "tool/Cargo.toml": "",
      "broken/package.json": "{",
    });
  });

  test.each([
    [[], "npm test"],
    [["README.md"], "npm test"],
    [["packages/b/src/deep/x.ts"], "(cd packages/b && npm test)"],
    [["packages/c/src/x.ts"], "npm test"],
    [["packages/gone/x.ts"], "npm test"],
    [["broken/x.ts"], "npm test"],
    [["tool/src/x.rs", "tool/src/y.rs"], "(cd tool && cargo test)"],
    [
      ["tool/x.rs", "x.ts", "packages/b/y.ts", "packages/a b/z.ts"],
      "npm test && (cd 'packages/a b' && npm test) && (cd packages/b && npm test) && (cd tool && cargo test)",
    ],
  ])("%j: %s", async (changed, label) => {
    const check = await found(changed);
    expect(check).toMatchObject({ label, origin: "manifest" });
    expect(check.commands.every(({ timeoutMs }) => timeoutMs === 600_000)).toBe(true);
  });

  test("a broken manifest is named when nothing above it has a test", async () => {
    write({ "package.json": "[1" });
    expect(await summary(["packages/c/src/x.ts"])).toMatch(/^error: package\.json is not a JSON object/);
  });

  test("pytest runs in the project's top folder, not in the package or the tests", async () => {
    write({
      "py/pyproject.toml": "pytest",
      "py/pkg/__init__.py": "",
      "py/pkg/tests/test_a.py": "",
      "py/tests/conftest.py": "",
      "py/tests/unit/test_b.py": "",
      "py/tests/unit/conftest.py": "",
    });
    for (const changed of [
      "py/pkg/a.py",
      "py/pkg/tests/test_a.py",
      "py/tests/conftest.py",
      "py/tests/unit/test_b.py",
    ]) {
      expect((await found([changed])).label).toBe("(cd py && python3 -m pytest -q)");
    }
  });
});

describe("where a check comes from", () => {
  const planned = ["node", "check it.js"];

  test("the settings' commands come first, in order, in the root", async () => {
    write({ "package.json": withTest("x"), "sub/package.json": withTest("y") });
    const check = await found(["sub/a.js"], {
      required: [
        ["npm", "run", "lint"],
        ["make", "all"],
      ],
      planned,
    });
    expect(check).toMatchObject({ origin: "settings", label: "npm run lint && make all" });
    expect(check.commands.map(({ argv, cwd }) => [...argv, cwd])).toEqual([
      ["npm", "run", "lint", "."],
      ["make", "all", "."],
    ]);
  });

  test("where the settings' program is missing, the setting is named", async () => {
    write({ "package.json": withTest("x") });
    expect(await summary([], { required: [["no-such-program"]] })).toBe(
      "error: The user's setting checks.required cannot be run. There is no program no-such-program in PATH.",
    );
  });

  test("the plan's comes last", async () => {
    write({ "check it.js": "" });
    expect(await found([], { planned })).toMatchObject({ origin: "plan", label: "node 'check it.js'" });
    expect(await summary([], { planned: [] })).toBe("none");
    write({ "package.json": withTest("x") });
    expect(await found([], { planned })).toMatchObject({ origin: "manifest", label: "npm test" });
  });
});

test("what was found is what runs", async () => {
  write({ "package.json": withTest("x") });
  const [command] = (await found()).commands;
  if (command === undefined) throw new Error("no command");
  const ran = await runCommand(gate, command, freely(env), new AbortController().signal);
  expect(ran.ok && ran.value.output.toString()).toBe(`${npm}\n`);
});

describe("build tools", () => {
  test.each<[string, Record<string, string>, string]>([
    ["Maven", { "pom.xml": "<project/>", "src/A.java": "" }, "mvn -B test [mvn -B test in .] pom.xml"],
    [
      "Maven's wrapper",
      { "pom.xml": "", mvnw: "#!/bin/sh\n", ".mvn/jvm.config": "-javaagent:x.jar" },
      "./mvnw -B test [./mvnw -B test in .] .mvn/jvm.config mvnw pom.xml",
    ],
    ["Gradle", { "build.gradle.kts": "" }, "gradle test [gradle test in .] build.gradle.kts"],
    [
      "Gradle's wrapper",
      { "build.gradle": "", gradlew: "#!/bin/sh\n", "gradle/wrapper/gradle-wrapper.properties": "x" },
      "./gradlew test [./gradlew test in .] build.gradle gradle/wrapper/gradle-wrapper.properties gradlew",
    ],
    ["RSpec", { ".rspec": "", "spec/a_spec.rb": "" }, "rspec [rspec in .] .rspec"],
    [
      "RSpec with Bundler",
      { Gemfile: "", "spec/spec_helper.rb": "", "spec/a_spec.rb": "" },
      "bundle exec rspec [bundle exec rspec in .] Gemfile spec/spec_helper.rb",
    ],
    [".NET", { "A.sln": "", "global.json": "{}" }, "dotnet test [dotnet test in .] A.sln global.json"],
    [
      "just",
      { justfile: "build:\n  x\ntest: build\n  cargo nextest run\n" },
      "just test [just test in .] justfile",
    ],
    ["a justfile without a test", { justfile: "build:\n  x\n" }, "none"],
    ["a Gemfile without specs", { Gemfile: "" }, "none"],
  ])("%s", async (_, files, expected) => {
    provide("mvn", "gradle", "rspec", "bundle", "dotnet", "just");
    write(files);
    for (const name of ["mvnw", "gradlew"]) if (name in files) chmodSync(join(folder.ws, name), 0o755);
    expect(await summary()).toBe(expected);
  });

  test("a just recipe is shown", async () => {
    provide("just");
    write({ justfile: "test:\n  echo one\n  echo two\n" });
    expect((await found()).commands[0]?.scripts).toEqual([
      { name: "just test", body: "test:\n  echo one\n  echo two" },
    ]);
  });

  test("a sub-project of Gradle is run by the wrapper above it", async () => {
    write({ gradlew: "#!/bin/sh\n", "settings.gradle": "", "app/build.gradle": "", "app/src/A.java": "" });
    chmodSync(join(folder.ws, "gradlew"), 0o755);
    expect(await summary(["app/src/A.java"])).toContain(
      "(cd app && ../gradlew test) [../gradlew test in app]",
    );
  });
});

describe("JavaScript runners without a script", () => {
  const runner = (name: string): Record<string, string> => ({
    "package.json": JSON.stringify({ devDependencies: { [name]: "^1" } }),
    [`node_modules/.bin/${name}`]: "#!/bin/sh\n",
  });

  test.each([
    ["vitest", "vitest run [node_modules/.bin/vitest run in .]"],
    ["jest", "jest [node_modules/.bin/jest in .]"],
  ])("%s", async (name, expected) => {
    write(runner(name));
    chmodSync(join(folder.ws, "node_modules/.bin", name), 0o755);
    expect(await summary()).toContain(expected);
  });

  test("bun's own runner, and bun as the manager of a script", async () => {
    provide("bun");
    write({ "package.json": "{}", "bun.lock": "" });
    expect(await summary()).toBe("bun test [bun test in .] bun.lock package.json");
    write({ "package.json": JSON.stringify({ scripts: { test: "vitest run" } }) });
    expect(await summary()).toContain("bun run test [bun run test in .]");
    expect((await found()).commands[0]?.scripts).toEqual([{ name: "test", body: "vitest run" }]);
  });
});

test("what a script's program really is in node_modules is shown and bound (TH89)", async () => {
  write({
    "package.json": JSON.stringify({ scripts: { test: "CI=1 ls && runner --all" } }),
    "node_modules/.bin/ls": "#!/bin/sh\necho planted\n",
    "node_modules/runner/cli.js": "x",
  });
  symlinkSync("../runner/cli.js", join(folder.ws, "node_modules/.bin/runner"));
  const [command] = (await found()).commands;
  expect(command?.scripts).toEqual([
    { name: "test", body: "CI=1 ls && runner --all" },
    { name: "ls is", body: "node_modules/.bin/ls" },
    { name: "runner is", body: "node_modules/runner/cli.js" },
  ]);
  const bound = command?.inputs.map(({ path }) => path);
  expect(bound).toContain("node_modules/.bin/ls");
  expect(bound).toContain("node_modules/runner/cli.js");
});
