// `minicode models [--profile ID]`: what the profile's server offers, its own model marked.
import { folders } from "../config/folders.ts";
import { loadProfile } from "../config/profiles.ts";
import { checkReach } from "../config/remote-host.ts";
import { settingsInForce } from "../config/resolve-settings.ts";
import { settingDefaults } from "../config/settings.ts";
import type { OfferedModel } from "../model/list-models.ts";
import { isSameModel } from "../model/same-model.ts";
import { safeLine } from "../policy/safe-text.ts";
import { AppError } from "../util/errors.ts";
import { rowsToText } from "../view/plain.ts";
import { type Row, span } from "../view/row.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Flags, flagSettings, usage } from "./flags.ts";
import { type Io, wantsColor, write } from "./io.ts";
import { isModelNamed, isServerProfile, listOffered, readyToList } from "./server-profile.ts";
import { withInterrupt } from "./signals.ts";

const LIST_MS = 30_000;

export async function models(words: readonly string[], flags: Flags, io: Io): Promise<number> {
  if (words.length > 0) throw usage("models takes no words", "Another profile is named by --profile ID.");
  const places = folders(io.env, process.platform);
  const { settings } = await settingsInForce(places, io.env, flagSettings(flags));
  const id = settings.profile ?? settingDefaults.profile;
  const profile = await loadProfile(id, places);
  if (!isServerProfile(profile)) {
    throw new AppError("E_OFFLINE", `the profile "${id}" asks no server, so there is no list of models`, {
      hint: "Name another one with --profile ID, or make one with minicode setup.",
    });
  }
  const server = readyToList(profile, io.env, false);
  checkReach(server, settings.offline ?? settingDefaults.offline);
  const listed = await withInterrupt((signal) => listOffered(server, LIST_MS, signal));
  // Where the profile names no model, `readyToList` put a stand-in there.
  const own = isModelNamed(profile, io.env) ? server.model : undefined;
  const isOwn = ({ id }: OfferedModel): boolean => own !== undefined && isSameModel(id, own);
  if (flags.json) {
    const entries = listed.map((model) => ({ ...model, chosen: isOwn(model) }));
    await write(io.stdout, `${JSON.stringify({ profile: id, server: server.baseUrl, models: entries })}\n`);
    return exitCodes.done;
  }
  await write(io.stderr, `${safeLine(`${profile.label}, ${server.baseUrl}: ${listed.length} models`)}\n`);
  const rows = listed.map((model) => modelRow(model, isOwn(model)));
  if (rows.length > 0)
    await write(io.stdout, `${rowsToText(rows, { color: wantsColor(io.stdout, io.env) })}\n`);
  if (own !== undefined && !listed.some(isOwn))
    await write(io.stderr, `${safeLine(`The profile's own model, ${own}, is not among them.`)}\n`);
  return exitCodes.done;
}

function modelRow({ id, contextWindow }: OfferedModel, own: boolean): Row {
  return [
    span(own ? "❯ " : "  ", "accent"),
    span(safeLine(id), ...(own ? (["bold"] as const) : [])),
    ...(contextWindow === undefined ? [] : [span(`  ${tokens(contextWindow)} tokens`, "dim")]),
  ];
}

/** 128000 as 128k. */
export function tokens(count: number): string {
  return count < 1_000 ? String(count) : `${Math.round(count / 1_000)}k`;
}
