// `npm run fuzz -- [target] [--runs N] [--seed S]`: all targets in their short form, or one as long as asked. Exit 1 on a failure.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

/** Failures printed of one target; the rest are only counted. */
const SHOWN = 10;

const root = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string" }, seed: { type: "string", default: "20261201" } },
});
const seed = wholeNumber("seed", values.seed);
const runs = values.runs === undefined ? undefined : wholeNumber("runs", values.runs);

const folder = mkdtempSync(join(tmpdir(), "minicode-fuzz-"));
let failed = false;
try {
  const targets = await load(folder);
  for (const name of positionals)
    if (!targets.some(({ target }) => target.name === name))
      fail(`There is no target ${name}. There are: ${targets.map(({ target }) => target.name).join(", ")}.`);
  for (const { target, shortRuns } of targets) {
    if (positionals.length > 0 && !positionals.includes(target.name)) continue;
    const start = performance.now();
    const result = await target.run(runs ?? shortRuns, seed);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const figures = Object.entries(result.figures).map(([name, value]) => `, ${name} ${value}`);
    console.log(
      `${target.name}: ${result.runs} runs, ${seconds} s, seed ${seed}, ${result.failures.length} failures${figures.join("")}`,
    );
    for (const failure of result.failures.slice(0, SHOWN)) console.log(`  ${failure}`);
    failed ||= result.failures.length > 0;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** The targets are TypeScript, which Node 20 cannot run. */
async function load(folder) {
  const outfile = join(folder, "targets.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["test/fuzz/targets.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
    logLevel: "error",
  });
  const { targets } = await import(pathToFileURL(outfile));
  return targets;
}

function wholeNumber(name, text) {
  if (!/^\d{1,9}$/.test(text)) fail(`--${name} must be a whole number.`);
  return Number(text);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
