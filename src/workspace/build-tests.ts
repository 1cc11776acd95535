// Tests of projects whose manifest is a build tool's: Maven, Gradle, just, RSpec, .NET; and JavaScript projects that have a runner
// but no script for it. Used by project-tests.ts.
import { posix } from "node:path";
import { filesMatching } from "./inputs.ts";
import type { Manifest } from "./package-scripts.ts";
import type { PathGate } from "./path-gate.ts";
import { joinPath } from "./path-walk.ts";
import type { ProjectTest } from "./project-test.ts";

/** The tests that build tools of this folder have, in the order of preference. */
export async function buildTests(gate: PathGate, folder: string): Promise<ProjectTest[]> {
  const tests = [
    await mavenTest(gate, folder),
    await gradleTest(gate, folder),
    await rspecTest(gate, folder),
    await dotnetTest(gate, folder),
    await justTest(gate, folder),
  ];
  return tests.filter((test) => test !== null);
}

/** The runner that a package has installed, when its manifest names no test: vitest, jest, or bun's own. */
export async function runnerTest(gate: PathGate, manifest: Manifest): Promise<ProjectTest | null> {
  const { folder } = manifest;
  const configs = await filesMatching(gate, folder, /^(?:vitest|vite|jest)\.config\.[cm]?[jt]s(?:on)?$/);
  const inputs = [manifest.path, ...configs];
  const test = (argv: readonly string[], label: string): ProjectTest => ({
    ...{ folder, argv, label, inputs, scripts: [], languages: /\.(?:[cm]?[jt]sx?)$|(?:^|\/)package\.json$/ },
  });
  for (const [name, words] of [["vitest", ["run"]] as const, ["jest", []] as const]) {
    const config = configs.some((path) => posix.basename(path).startsWith(`${name}.`));
    if (!config && manifest.dependencies[name] === undefined) continue;
    return test([`node_modules/.bin/${name}`, ...words], [name, ...words].join(" "));
  }
  const bunTests = await filesMatching(gate, folder, /^bunfig\.toml$|^bun\.lockb?$/);
  if (bunTests.length === 0) return null;
  inputs.push(...bunTests);
  return test(["bun", "test"], "bun test");
}

async function mavenTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  const inputs = await filesMatching(gate, folder, /^(?:pom\.xml|mvnw)$/);
  if (!inputs.includes(joinPath(folder, "pom.xml"))) return null;
  const wrapper = inputs.includes(joinPath(folder, "mvnw"));
  // What it would preload or download is in these.
  inputs.push(
    ...(await filesMatching(
      gate,
      joinPath(folder, ".mvn"),
      /^(?:jvm\.config|maven\.config|extensions\.xml)$/,
    )),
    ...(await filesMatching(gate, joinPath(folder, ".mvn/wrapper"), /^maven-wrapper\.properties$/)),
  );
  return named(
    folder,
    [wrapper ? "./mvnw" : "mvn", "-B", "test"],
    inputs,
    /\.(?:java|kt|scala|groovy)$|pom\.xml$/,
  );
}

async function gradleTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  const inputs = await filesMatching(
    gate,
    folder,
    /^(?:build|settings|init)\.gradle(?:\.kts)?$|^gradle\.properties$|^gradlew$/,
  );
  if (!inputs.some((path) => /(?:^|\/)build\.gradle(?:\.kts)?$/.test(path))) return null;
  inputs.push(
    ...(await filesMatching(gate, joinPath(folder, "gradle/wrapper"), /^gradle-wrapper\.properties$/)),
  );
  // A project of several has its wrapper at the top.
  const up = folder === "." ? [] : folder.split("/").map((_, i, all) => all.slice(0, i).join("/") || ".");
  const tops = [folder, ...up.reverse()];
  for (const top of tops) {
    if ((await filesMatching(gate, top, /^gradlew$/)).length === 0) continue;
    const wrapper = joinPath(posix.relative(folder, top) || ".", "gradlew");
    const program = wrapper.startsWith("..") ? wrapper : `./${wrapper}`;
    const all = [...inputs, joinPath(top, "gradlew")];
    return named(folder, [program, "test"], all, jvm);
  }
  return named(folder, ["gradle", "test"], inputs, jvm);
}

const jvm = /\.(?:java|kts?|scala|groovy)$|\.gradle$/;

async function rspecTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  const inputs = await filesMatching(gate, folder, /^(?:Gemfile(?:\.lock)?|\.rspec)$/);
  const specs = [
    ...(await filesMatching(gate, joinPath(folder, "spec"), /_spec\.rb$|^spec_helper\.rb$/)),
    ...inputs.filter((path) => path.endsWith(".rspec")),
  ];
  if (specs.length === 0) return null;
  inputs.push(...(await filesMatching(gate, joinPath(folder, "spec"), /_helper\.rb$/)));
  const bundled = inputs.some((path) => /(?:^|\/)Gemfile$/.test(path));
  return named(folder, bundled ? ["bundle", "exec", "rspec"] : ["rspec"], inputs, /\.rb$|Gemfile$/);
}

async function dotnetTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  const inputs = await filesMatching(
    gate,
    folder,
    /\.(?:sln|slnx|[cfv]sproj)$|^(?:Directory\.(?:Build|Packages)\.(?:props|targets)|global\.json|nuget\.config)$/i,
  );
  if (!inputs.some((path) => /\.(?:sln|slnx|[cfv]sproj)$/i.test(path))) return null;
  return named(folder, ["dotnet", "test"], inputs, /\.(?:cs|fs|vb|[cfv]sproj|sln)$/i);
}

async function justTest(gate: PathGate, folder: string): Promise<ProjectTest | null> {
  const [path] = await filesMatching(gate, folder, /^\.?justfile$/i);
  if (path === undefined) return null;
  const file = await gate.readFile(path);
  const text = file.ok && file.value ? file.value.bytes.toString("utf8") : "";
  // The recipe's line and its indented body.
  const recipe = /^test(?:[ \t][^:\n]*)?:(?!=).*\n(?:(?:[ \t]+.*)?\n)*/m.exec(`${text}\n`)?.[0].trimEnd();
  if (recipe === undefined) return null;
  const test = named(folder, ["just", "test"], [path], /$^/);
  return { ...test, scripts: [{ name: "just test", body: recipe }] };
}

function named(
  folder: string,
  argv: readonly string[],
  inputs: readonly string[],
  languages: RegExp,
): ProjectTest {
  return { folder, argv, label: argv.join(" "), inputs, scripts: [], languages };
}
