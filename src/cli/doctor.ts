// `minicode doctor`: looks at all that MiniCode needs and says what is missing and how to mend it. Exit code 1 when something is.
import { checkSettings } from "../app.ts";
import { type Folders, folders } from "../config/folders.ts";
import { settingsInForce } from "../config/resolve-settings.ts";
import { settingDefaults, settingsFile } from "../config/settings.ts";
import { AppError } from "../util/errors.ts";
import { rowsToText } from "../view/plain.ts";
import { type Row, span } from "../view/row.ts";
import { type Check, checkRows, failed } from "./check.ts";
import { machineChecks } from "./doctor-machine.ts";
import { modelChecks } from "./doctor-model.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Flags, flagSettings, usage } from "./flags.ts";
import { type Io, wantsColor, write } from "./io.ts";
import { withInterrupt } from "./signals.ts";

/** Where the output is no terminal. */
const DEFAULT_COLUMNS = 100;

export async function doctor(
  words: readonly string[],
  flags: Flags,
  io: Io,
  version: string,
): Promise<number> {
  if (words.length > 0) throw usage("doctor takes no words", "Another profile is named by --profile ID.");
  const { checks, cancelled } = await withInterrupt(async (signal) => ({
    checks: await allChecks(flags, io, signal),
    cancelled: signal.aborted,
  }));
  const ok = checks.every(({ state }) => state !== "fail");
  const text = flags.json ? JSON.stringify({ version, ok, checks }) : table(checks, version, io);
  await write(io.stdout, `${text}\n`);
  if (cancelled) return exitCodes.interrupted;
  return ok ? exitCodes.done : exitCodes.failure;
}

async function allChecks(flags: Flags, io: Io, signal: AbortSignal): Promise<Check[]> {
  const places = folders(io.env, process.platform);
  const machine = await machineChecks(io, places, signal);
  const { checks, profile, offline } = await settingsChecks(places, flags, io.env);
  const question = { profile, places, env: io.env, online: flags.online, offline, signal };
  return [...machine, ...checks, ...(await modelChecks(question))];
}

/** Whether the settings can be read, and what each of them is, with who said so. Without them a flag can still name a profile. */
async function settingsChecks(
  places: Folders,
  flags: Flags,
  env: NodeJS.ProcessEnv,
): Promise<{ checks: Check[]; profile: string | undefined; offline: boolean }> {
  const name = "settings";
  try {
    const { settings, each } = await settingsInForce(places, env, flagSettings(flags));
    checkSettings(settings);
    const values = each
      .filter(({ value }) => value !== undefined)
      .map(({ key, value, origin }) => `${key} ${JSON.stringify(value)} (${origin})`);
    const file = settingsFile(places);
    const own = each.some(({ origin }) => origin === "user");
    return {
      checks: [
        { name, state: "ok", detail: own ? `${file} is valid` : `nothing is set in ${file}` },
        { name: "in force", state: "ok", detail: values.join(", ") },
      ],
      profile: settings.profile,
      offline: settings.offline ?? settingDefaults.offline,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const profile = flags.profile ?? (env["MINICODE_PROFILE"] || undefined);
    // What the settings say is not known, so nothing is sent that they might forbid.
    return { checks: [failed(name, error)], profile, offline: true };
  }
}

function table(checks: readonly Check[], version: string, io: Io): string {
  const width = io.stdout.columns ?? DEFAULT_COLUMNS;
  const count = (state: Check["state"]): number => checks.filter((check) => check.state === state).length;
  const [fails, warnings] = [count("fail"), count("warn")];
  const end: Row =
    fails + warnings === 0
      ? [span("Everything that was looked at is in order.", "ok")]
      : [span(summary(fails, warnings), fails > 0 ? "error" : "warn")];
  const rows: Row[] = [[span(`MiniCode ${version}`, "title")], [], ...checkRows(checks, width), [], end];
  return rowsToText(rows, { color: wantsColor(io.stdout, io.env) });
}

function summary(fails: number, warnings: number): string {
  const parts = [
    fails > 0 ? `${fails} failed` : "",
    warnings > 0 ? `${warnings} warning${warnings === 1 ? "" : "s"}` : "",
  ];
  return `${parts.filter((part) => part !== "").join(", ")}.`;
}
