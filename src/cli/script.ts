// `minicode script [SESSION] [--out FILE]`: a recorded session as a script that `--profile scripted` plays, for a bug report.
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { folders } from "../config/folders.ts";
import { en } from "../i18n/en.ts";
import type { Script, ScriptStep, When } from "../model/script.ts";
import { aroundPlaceholders, findSecrets, replaceSecrets } from "../policy/key-patterns.ts";
import { safeText } from "../policy/safe-text.ts";
import { readRecord } from "../record/read.ts";
import { AppError, errnoOf, messageOf } from "../util/errors.ts";
import { mapStrings } from "../util/map-strings.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Flags, usage } from "./flags.ts";
import { type Io, write } from "./io.ts";
import { scriptOf } from "./script-of-record.ts";
import { sessionArgument } from "./session-argument.ts";

export async function script(words: readonly string[], flags: Flags, io: Io): Promise<number> {
  if (words.length > 1) throw usage("script takes one session");
  const folder = await sessionArgument(join(folders(io.env, process.platform).data, "sessions"), words[0]);
  const { entries, warnings } = await readRecord(folder);
  const recorded = scriptOf(entries);
  if (recorded.steps.length === 0) {
    throw new AppError("E_SESSION", "the session holds no answer of a model, so there is nothing to play");
  }
  const { clean, placeholders } = withoutSecrets(recorded, io.env);
  const text = `${JSON.stringify(clean, null, 2)}\n`;
  const file = flags.out === undefined ? undefined : resolve(io.cwd(), flags.out);
  if (file === undefined) await write(io.stdout, text);
  else await writeNew(file, text);
  const told = [
    ...warnings,
    en["script.made"](clean.steps.length, Buffer.byteLength(text)),
    ...redactedLines(clean, placeholders),
    ...playLines(clean, file ?? "FILE"),
  ];
  await write(io.stderr, told.map((line) => `${safeText(line)}\n`).join(""));
  return exitCodes.done;
}

/** The same script, telling nobody's secrets. What a request must hold is then what stood around them. */
function withoutSecrets(recorded: Script, env: NodeJS.ProcessEnv): { clean: Script; placeholders: string[] } {
  const texts: string[] = [];
  mapStrings(recorded, (text) => {
    texts.push(text);
    return text;
  });
  const secrets = findSecrets(texts, env);
  const clean = mapStrings(recorded, (text) => replaceSecrets(text, secrets));
  return {
    clean: { ...clean, steps: clean.steps.map(loosened) },
    placeholders: [...new Set(secrets.values())],
  };
}

function loosened({ when, ...step }: ScriptStep): ScriptStep {
  if (when === undefined) return step;
  const { lastUserContains, results, ...rest } = when;
  const asked = around(lastUserContains);
  const expected: When = {
    ...rest,
    ...(results === undefined ? {} : { results: results.map(loosenedResult) }),
    ...(asked === undefined ? {} : { lastUserContains: asked }),
  };
  return { when: expected, ...step };
}

function loosenedResult({ outcome, contains }: NonNullable<When["results"]>[number]) {
  const pieces = around(contains);
  return { outcome, ...(pieces === undefined ? {} : { contains: pieces }) };
}

function around(texts: string | string[] | undefined): string | string[] | undefined {
  const pieces = [texts ?? []].flat().flatMap(aroundPlaceholders);
  return pieces.length > 1 ? pieces : pieces[0];
}

/** A file of the user's is never overwritten. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const exists = errnoOf(error) === "EEXIST";
    throw new AppError(
      "E_USAGE",
      exists ? `${path} is there already` : `cannot write ${path}: ${messageOf(error)}`,
      {
        cause: error,
        hint: exists ? "Give another name, or remove it first." : "Give a place that can be written to.",
      },
    );
  }
}

function redactedLines(clean: Script, placeholders: readonly string[]): string[] {
  const all = JSON.stringify(clean);
  const inCalls = JSON.stringify(clean.steps.map(({ calls }) => calls ?? []));
  const used = placeholders.filter((placeholder) => all.includes(placeholder));
  if (used.length === 0) return [en["script.nothing_redacted"]];
  const places = used.map((one) => en["script.redacted"](one, all.split(one).length - 1));
  const needed = used.filter((one) => inCalls.includes(one));
  return [
    ...places,
    ...(needed.length === 0 ? [] : [en["script.redacted_calls"](needed.join(", "))]),
    en["script.look"],
  ];
}

/** How to play it: in print mode where the words had come from flags, else on the screen, with what was typed there. */
function playLines({ tasks = [] }: Script, file: string): string[] {
  const [first] = tasks;
  if (first === undefined) return [];
  const played = ["--profile", "scripted", "--script", quoted(file)];
  if (tasks.some(({ words }) => words.length > 0)) {
    const typed = tasks.flatMap(({ text, words }) => [text, ...words]);
    return [
      en["script.play"],
      `  ${["minicode", ...modeFlags(first), ...played].join(" ")}`,
      en["script.type"],
      ...typed.map((line) => `  ${line}`),
    ];
  }
  const lines = tasks.map((task, i) => {
    const given = task.mode === "edit" ? ["--yes", task.guided ? "plan,apply,run" : "apply,run"] : [];
    const goOn = i === 0 ? [] : ["--continue"];
    return `  ${["minicode", "-p", quoted(task.text), ...goOn, ...modeFlags(task), ...given, ...played].join(" ")}`;
  });
  return [en["script.play"], ...lines];
}

function modeFlags({
  mode,
  guided,
}: Pick<NonNullable<Script["tasks"]>[number], "mode" | "guided">): string[] {
  return [...(mode === "read" ? [] : ["--mode", mode]), ...(guided ? ["--guided"] : [])];
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
