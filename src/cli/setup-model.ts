// The set-up question about the model: from what the server offers where it can be asked, else by its name. Used by setup.ts.
import { checkReach } from "../config/remote-host.ts";
import { en } from "../i18n/en.ts";
import type { OfferedModel } from "../model/list-models.ts";
import { isSameModel } from "../model/same-model.ts";
import { safeLine } from "../policy/safe-text.ts";
import type { Dialogue } from "../tui/dialogue.ts";
import { AppError } from "../util/errors.ts";
import { type Row, span } from "../view/row.ts";
import { tokens } from "./models.ts";
import { askFor, confirm, say } from "./questions.ts";
import { listOffered, missingKey, readyToList, type ServerProfile } from "./server-profile.ts";

const LIST_MS = 15_000;
/** More would push the question off a small screen. */
const SHOWN = 15;

/** The chosen model, and its context window when that is known. */
export interface ChosenModel {
  model: string;
  contextWindow: number | undefined;
}

export async function askModel(
  dialogue: Dialogue,
  profile: ServerProfile,
  env: NodeJS.ProcessEnv,
  offline: boolean,
): Promise<ChosenModel> {
  const listed = await offered(dialogue, profile, env, offline);
  const byDefault =
    listed === undefined ||
    listed.some(({ id }) => profile.model !== undefined && isSameModel(id, profile.model))
      ? profile.model
      : undefined;
  const model =
    listed === undefined ? await askName(dialogue, byDefault) : await pick(dialogue, listed, byDefault);
  const told = listed?.find(({ id }) => isSameModel(id, model))?.contextWindow;
  if (told !== undefined) return { model, contextWindow: told };
  if (model === profile.model && profile.contextWindow !== undefined)
    return { model, contextWindow: profile.contextWindow };
  return { model, contextWindow: await askWindow(dialogue, profile, model) };
}

/** What the server lists; undefined when it cannot be asked or lists nothing. */
async function offered(
  dialogue: Dialogue,
  profile: ServerProfile,
  env: NodeJS.ProcessEnv,
  offline: boolean,
): Promise<OfferedModel[] | undefined> {
  const missing = missingKey(profile, env);
  if (missing !== null) {
    say(dialogue, en["setup.no-list.key"](missing), "dim");
    return undefined;
  }
  try {
    const connection = readyToList(profile, env, true);
    checkReach(connection, offline);
    say(dialogue, en["setup.asking"](new URL(connection.baseUrl).host), "dim");
    const models = await listOffered(connection, LIST_MS, dialogue.signal);
    return models.length === 0 ? undefined : models;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    say(dialogue, en["setup.no-list"](`${error.message}. ${error.hint ?? ""}`.trimEnd()), "warn");
    return undefined;
  }
}

function askName(dialogue: Dialogue, byDefault: string | undefined): Promise<string> {
  return askFor(dialogue, en["setup.model.free"], byDefault, (answer) =>
    answer === "" ? { wrong: en["setup.model.needed"] } : { value: answer },
  );
}

/** By number, by name, or by searching: a part of a name shows the models that have it. */
async function pick(
  dialogue: Dialogue,
  models: readonly OfferedModel[],
  byDefault: string | undefined,
): Promise<string> {
  let shown = models.slice(0, SHOWN);
  say(dialogue, en["setup.models"](shown.length, models.length));
  dialogue.say(modelRows(shown));
  return askFor(dialogue, en["setup.model"], byDefault, async (answer) => {
    if (answer === "") return { wrong: en["setup.model.needed"] };
    const numbered = /^\d{1,2}$/.test(answer) ? shown[Number(answer) - 1] : undefined;
    const exact = models.find(({ id }) => isSameModel(id, answer));
    const chosen = exact ?? numbered;
    if (chosen !== undefined) return { value: chosen.id };
    const found = models.filter(({ id }) => id.toLowerCase().includes(answer.toLowerCase()));
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) {
      say(dialogue, en["setup.model.taken"](only.id), "dim");
      return { value: only.id };
    }
    if (found.length > 0) {
      shown = found.slice(0, SHOWN);
      say(dialogue, en["setup.models.found"](shown.length, found.length));
      dialogue.say(modelRows(shown));
      return { wrong: "" };
    }
    const anyway = await confirm(dialogue, en["setup.model.unlisted"](answer), false);
    return anyway ? { value: answer } : { wrong: "" };
  });
}

function modelRows(models: readonly OfferedModel[]): Row[] {
  return models.map(({ id, contextWindow }, i) => [
    span(`${String(i + 1).padStart(4)}  `, "dim"),
    span(safeLine(id)),
    ...(contextWindow === undefined ? [] : [span(`  ${tokens(contextWindow)}`, "dim")]),
  ]);
}

/** Ollama loads a model with the context that it is told, and with too little when it is told nothing. */
function askWindow(
  dialogue: Dialogue,
  { provider }: ServerProfile,
  model: string,
): Promise<number | undefined> {
  const unknown = en["setup.window.unknown"];
  const [question, byDefault] =
    provider === "ollama" ? [en["setup.window.load"](model), "32k"] : [en["setup.window"](model), unknown];
  return askFor(dialogue, question, byDefault, (answer) => {
    if (answer === unknown) return { value: undefined };
    const [, digits, kilo] = /^(\d[\d_ ,]*)(k?)$/i.exec(answer) ?? [];
    const count = Number(digits?.replace(/[_ ,]/g, "")) * (kilo === "" ? 1 : 1_000);
    return Number.isSafeInteger(count) && count > 0 ? { value: count } : { wrong: en["setup.window.wrong"] };
  });
}
