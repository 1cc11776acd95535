// `npm run bench`: measured speeds beside their targets, for the reader. Never part of CI's verdict: it depends on the machine.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "minicode-bench-"));

/** Milliseconds of each of `runs` runs, sorted. */
async function times(runs, job) {
  const all = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await job(i);
    all.push(performance.now() - start);
  }
  return all.sort((a, b) => a - b);
}
const p50 = (sorted) => sorted[Math.floor(sorted.length / 2)];
const p99 = (sorted) => sorted[Math.floor(sorted.length * 0.99)];

function line(name, value, target) {
  const verdict = value <= target ? "within" : "OVER";
  console.log(`${name.padEnd(36)} ${value.toFixed(3).padStart(9)} ms   target ${target} ms   ${verdict}`);
}

try {
  const outfile = join(folder, "parts.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["test/bench/parts.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@vscode/ripgrep"],
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
    logLevel: "error",
  });
  const parts = await import(pathToFileURL(outfile));

  const commands = parts.labelledTexts();
  const classify = await times(5_000, (i) => parts.classify(commands[i % commands.length]));
  line("classifier p99", p99(classify), 2);

  const ws = join(folder, "ws");
  mkdirSync(join(ws, "a", "b", "c"), { recursive: true });
  writeFileSync(join(ws, "a", "b", "c", "f.txt"), "x\n");
  const gate = await parts.openGate(ws);
  const opens = await times(5_000, () => parts.openFile(gate, "a/b/c/f.txt"));
  line("path gate p99, an open at depth 4", p99(opens), 0.2);

  const repo = join(folder, "repo");
  for (let i = 0; i < 3_000; i++) {
    mkdirSync(join(repo, `d${i % 60}`), { recursive: true });
    writeFileSync(join(repo, `d${i % 60}`, `f${i}.txt`), `${i}\n`);
  }
  const git = (...args) => execFileSync("git", args, { cwd: repo, stdio: "ignore" });
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=x", "-c", "user.email=x@example.invalid", "commit", "-q", "-m", "x");
  const status = await parts.gitStatus(repo);
  line("git status p50, 3,000 files", p50(await times(40, status)), 25);

  const { plain, confined } = await parts.doNothing(ws);
  if (confined === null) console.log("sandbox                              not here");
  else
    line(
      "sandbox p50, beyond a run without",
      p50(await times(40, confined)) - p50(await times(40, plain)),
      15,
    );

  const append = await parts.appender(join(folder, "session"));
  line("append and sync p99", p99(await times(1_000, append)), 5);

  const start = await times(15, () =>
    spawnSync(process.execPath, [join(root, "bin", "minicode.mjs"), "--version"]),
  );
  const bare = await times(15, () => spawnSync(process.execPath, ["-e", "0"]));
  line("minicode --version, beyond node -e 0", p50(start) - p50(bare), 100);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
