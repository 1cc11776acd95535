// Writes docs/security.md from the tests of test/threats: each threat with what holds, its test and its known limit. With --check
// it only says whether the page is what they say now. Run by hand after a change; test/threats/security-doc.test.ts checks.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/security.md");
const folder = join(root, "test/threats");

const head = `# Threats, tests, limits

Made by \`node scripts/security-doc.mjs\` from the tests themselves; a test fails when it is stale. What MiniCode trusts and how to
report a hole is in [SECURITY.md](../SECURITY.md).

CI runs them as root, with bubblewrap and strace; what needs these and has them not is skipped, with the reason in its name. Elsewhere
than on Linux the path gate checks before and after it opens a file instead of walking open folders, and there is no sandbox.

## Fuzzing

\`npm run fuzz\` runs all targets in their short form, as CI does; \`npm run fuzz -- TARGET --runs N --seed S\` runs one for longer.
Runs by hand on 2026-12-01, two shared cores, Node 20.20, each without a failure:

| target | runs | seed | what holds |
|---|---|---|---|
| classifier | 1,000,000 | 20261205 | bash runs what was seen, and changes nothing, for each of 71,261 lines that pass without a question |
| path-gate | 1,200,000 | 20261204 | no open under a swapping attacker leads outside; 431,794 came in, the others were refused |
| sanitiser | 2,000,000 | 7 | nothing forbidden comes out, twice is once, pieces give what the whole gives |
| patch | 500,000 | 7 | an edit changes its match alone, a diff rebuilds the text, a refused patch (of 2,552 on disk) changes no file |
| redactor | 100,000 | 7 | no known key in any encoding or cut |
| stream-parser | 200,000 | 7 | any cut gives the same events; none of 99,928 half answers gives a call |

## Threats

| | threat | what holds | known limit |
|---|---|---|---|
`;

const text = head + threats().map(row).join("");
if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/security.md is stale: run node scripts/security-doc.mjs");
  process.exitCode = 1;
}

function threats() {
  const vectors = readFileSync(join(root, "test/workspace/git-vectors.ts"), "utf8");
  const files = readdirSync(folder).filter((name) => /^TH\d+\.test\.ts$/.test(name));
  return files
    .map((name) => threatOf(basename(name, ".test.ts"), readFileSync(join(folder, name), "utf8"), vectors))
    .sort((a, b) => a.number - b.number);
}

/** A file begins with comment lines: what holds, then `limit: …` where there is one. Its first title names the threat. */
function threatOf(id, source, vectors) {
  const lines = source.split("\n").filter((line) => !line.startsWith("// biome-ignore"));
  const end = lines.findIndex((line) => !line.startsWith("//"));
  const comment = lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join(" ");
  const [holds, limit = "none known"] = comment.split(/\s*\blimit: /);
  const named = new RegExp(`(["'\`])${id}:? (.+?)\\1`, "g");
  const own = [...source.matchAll(named)].slice(0, 1);
  const found = (own.length > 0 ? own : [...vectors.matchAll(named)]).map(([, , name]) => name);
  const names = [...new Set(found)];
  if (names.length === 0) throw new Error(`${id} names no threat`);
  return { id, number: Number(id.slice(2)), name: names.join(", "), holds, limit: limit.replace(/\.$/, "") };
}

function row({ id, name, holds, limit }) {
  const cells = [`[${id}](../test/threats/${id}.test.ts)`, name, holds, limit];
  return `| ${cells.map((cell) => shown(cell)).join(" | ")} |\n`;
}

function shown(cell) {
  return cell
    .replace(/,? sandbox %s$/, "")
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;");
}
