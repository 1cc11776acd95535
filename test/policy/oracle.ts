// Real bash as the judge of the shell classifier: it says which commands it would run for a text, and runs none of them.
// Used by oracle.test.ts and by the fuzz target.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { classOf } from "../../src/policy/command-class.ts";
import { classifyShell } from "../../src/policy/shell.ts";

/** Files that the globs of inputs may match; `x` and `evil` are programs that leave a mark when they run. */
const files = [
  "a",
  "b",
  "keep",
  "file.txt",
  "src/a.ts",
  "src/b.ts",
  "src/-r.ts",
  "dir/a.md",
  "$(x)",
  "-o.txt",
];

/**
 * Every builtin is replaced by a function that writes down its words, every program ends in the handler that does. A text
 * runs in its own subshell, with a PATH that leads nowhere; file descriptor 9 is the log.
 */
const noting = `
PATH=/nonexistent
noted() { builtin printf '%s\\0' "$#" "$PWD" "$@" >&9; }
command_not_found_handle() { noted "$@"; }
for name in $(builtin compgen -b) $NAMES; do
  case $name in builtin | cd) ;; *) builtin eval "$name() { noted $name \\"\\$@\\"; }" ;; esac
done
cd() { noted cd "$@"; builtin cd "$@"; }
while IFS= builtin read -r -d '' text <&8; do
  builtin printf '%s\\0' = >&9
  ( builtin eval "$text" ) 8<&- </dev/null >/dev/null 2>&1
done
builtin exit 0
`;

/** The same with the programs that there are; none may take long. */
const running = `
PATH=/usr/bin:/bin
ulimit -t 2
while IFS= read -r -d '' text <&8; do
  printf '=\\0' >&9
  ( eval "$text" ) 8<&- 9>&- </dev/null >/dev/null 2>&1
done
exit 0
`;

/** Programs that are met often: as functions they cost no process. */
const known =
  "ls cat head tail wc grep rg find sort uniq cut diff stat file du tree rm mv cp tee git node npm sed awk";

let boxed: boolean | undefined;

/** Whether bubblewrap works here; without it bash runs in the folder alone, where it can reach no program by name. */
export function hasBox(): boolean {
  boxed ??= spawnSync("bwrap", [...boxArgs("/tmp"), "/bin/true"]).status === 0;
  return boxed;
}

function boxArgs(folder: string): string[] {
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", folder, folder],
    ...["--unshare-all", "--die-with-parent", "--new-session", "--chdir", folder],
  ];
}

/** A command that bash would have run: its words, and the folder in the workspace; null outside of it. */
export interface Ran {
  argv: string[];
  cwd: string | null;
}

export interface Judged {
  /** What each text would have run. */
  ran: Ran[][];
  /** What the texts changed in their folder; empty when nothing. */
  changed: string[];
}

/** Asks bash about many texts at once. */
export function judge(texts: readonly string[]): Promise<Judged> {
  return inFolder(texts, noting);
}

/** Runs the texts with the real programs, in the box; what they changed in their folder. */
export async function changedByRunning(texts: readonly string[]): Promise<string[]> {
  if (!hasBox()) throw new Error("without bubblewrap nothing is run for real");
  return (await inFolder(texts, running)).changed;
}

async function inFolder(texts: readonly string[], script: string): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), "minicode-oracle-"));
  const work = join(folder, "work");
  try {
    for (const name of ["src/deep", "dir", "sub"]) mkdirSync(join(work, name), { recursive: true });
    for (const name of files) writeFileSync(join(work, name), "x\n");
    for (const name of ["x", "evil"])
      writeFileSync(join(work, name), "#!/bin/sh\n: > PWNED\n", { mode: 0o755 });
    writeFileSync(join(folder, "texts"), texts.map((text) => `${text}\0`).join(""));
    writeFileSync(join(folder, "log"), "");
    const before = listing(work);
    await runBash(folder, work, script);
    const after = listing(work);
    const ran = parseLog(readFileSync(join(folder, "log"), "utf8"), work);
    if (ran.length !== texts.length) throw new Error(`bash answered ${ran.length} of ${texts.length} texts`);
    return {
      ran,
      changed: after
        .filter((line) => !before.includes(line))
        .concat(before.filter((line) => !after.includes(line))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runBash(folder: string, work: string, script: string): Promise<void> {
  const shell = [
    "/bin/bash",
    "--noprofile",
    "--norc",
    "-c",
    `cd ${work}\nexec 8<${folder}/texts 9>>${folder}/log\n${script}`,
  ];
  const [program = "", ...args] = hasBox() ? ["bwrap", ...boxArgs(folder), ...shell] : shell;
  const child = spawn(program, args, {
    cwd: work,
    env: { NAMES: known, PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`the oracle's bash ended with ${code}: ${said.slice(-400)}`);
}

/** Records are a count, a folder and that many words; "=" begins the next text. */
function parseLog(log: string, work: string): Ran[][] {
  const words = log.split("\0");
  const ran: Ran[][] = [];
  for (let at = 0; at < words.length - 1; at++) {
    if (words[at] === "=") {
      ran.push([]);
      continue;
    }
    const count = Number(words[at]);
    const inside = relative(work, words[at + 1] ?? "");
    const cwd = inside.startsWith("..") ? null : inside === "" ? "." : inside;
    ran.at(-1)?.push({ argv: words.slice(at + 2, at + 2 + count), cwd });
    at += count + 1;
  }
  return ran;
}

function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const stat = statSync(join(folder, name));
    return stat.isDirectory() ? name : `${name} ${stat.size} ${stat.mtimeMs} ${stat.mode}`;
  });
}

/** The texts that would run without a question in the default mode. */
export function isApproved(text: string): boolean {
  return classOf(classifyShell(text).traits) === "read-only";
}

/**
 * What is wrong with an approved text by what bash said: a command that was not seen there, or one that was seen and not run
 * where nothing could have kept it from running. Null when all is right.
 */
export function fault(text: string, ran: readonly Ran[]): string | null {
  const { parts, found } = classifyShell(text);
  const unseen = ran.find(({ argv, cwd }) => {
    return !parts.some((part, i) => {
      // Where a glob or a redirection stands the words are not fixed, the program is.
      const same = part.argv === null ? found[i]?.[0] === argv[0] : isDeepStrictEqual(part.argv, argv);
      return same && cwd !== null && (part.cwd === null || part.cwd === cwd);
    });
  });
  if (unseen) return `${JSON.stringify(text)} runs ${JSON.stringify(unseen)}`;
  // "||", "!", a folder or a file that is not there may keep one from running.
  if (!/\|\||[!<]|\bcd\b/.test(text) && ran.length !== parts.length) {
    return `${JSON.stringify(text)} has ${parts.length} parts, bash ran ${ran.length}`;
  }
  return null;
}
