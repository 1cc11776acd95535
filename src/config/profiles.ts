// Profiles: which model to ask, and how. Shipped in profiles/, the user's own in <config>/profiles/ override them by id.
// A profile holds names of environment variables, never a key; src/config/ready-profile.ts reads the variables.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { AppError, errnoOf } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { readJson } from "../util/read-json.ts";
import type { Folders } from "./folders.ts";
import { packageRoot } from "./package-root.ts";

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable");
const count = z.number().int().positive();
/** Node's own client gives up on a silent server after 300 seconds. */
const silence = z.number().positive().max(290);

const common = {
  id: z.string(),
  /** What the user is shown. */
  label: z.string().min(1),
  /** Tokens the model can take in; bounds what a session keeps in view. */
  contextWindow: count.optional(),
  /** The only tools this model is offered, for models that do better with few. */
  tools: z.array(z.string()).min(1).optional(),
};

const offlineSchema = z.strictObject({ ...common, provider: z.literal("offline") });

const scriptedSchema = z.strictObject({
  ...common,
  provider: z.literal("scripted"),
  /** Variable with the path of the script. */
  scriptEnv: variable,
});

/** Of a value and its variable, the variable wins when it is set. */
const openAiCompatibleSchema = z.strictObject({
  ...common,
  provider: z.literal("openai-compatible"),
  baseUrl: z.string().optional(),
  baseUrlEnv: variable.optional(),
  model: z.string().min(1).optional(),
  modelEnv: variable.optional(),
  apiKeyEnv: variable.optional(),
  /** Whether there must be a key; by default only for servers that are not on this machine. */
  keyRequired: z.boolean().optional(),
  maxOutputTokens: count.optional(),
  limits: z
    .strictObject({
      /** From the request to the first byte of the answer. */
      firstByteSeconds: silence.optional(),
      /** Between two pieces of the answer. */
      idleSeconds: silence.optional(),
      /** For the whole answer. */
      totalSeconds: z.number().positive().max(86_400).optional(),
    })
    .optional(),
  /** Further request headers; never a key. */
  headers: z
    .record(z.string(), z.string())
    .refine(
      (headers) =>
        !Object.keys(headers).some((name) => /authorization|cookie|api-?key|token|secret/i.test(name)),
      {
        message: "a key does not belong in a file: name its variable as apiKeyEnv",
      },
    )
    .optional(),
  /** Further fields of every request, e.g. `{"reasoning_effort": "low"}`. */
  body: z.record(z.string(), z.json()).optional(),
  /** What this server does unlike the others. */
  compat: z
    .strictObject({
      /** It knows `stream_options`, which asks for token counts (default true). */
      streamOptions: z.boolean().optional(),
      /** It wants `max_completion_tokens` instead of `max_tokens` (default false). */
      maxCompletionTokens: z.boolean().optional(),
    })
    .optional(),
});
export type OpenAiCompatibleProfile = z.infer<typeof openAiCompatibleSchema>;

const providers = ["offline", "scripted", "openai-compatible"];
const profileSchema = z.discriminatedUnion(
  "provider",
  [offlineSchema, scriptedSchema, openAiCompatibleSchema],
  {
    error: (issue) => (issue.code === "invalid_union" ? `must be one of ${providers.join(", ")}` : undefined),
  },
);
export type Profile = z.infer<typeof profileSchema>;

/** Ids of all profiles there are, shipped and the user's, sorted. */
export async function listProfiles(folders: Folders): Promise<string[]> {
  const ids = await Promise.all(profileFolders(folders).map(idsIn));
  return [...new Set(ids.flat())].sort();
}

/** One profile. Throws an `AppError` `E_PROFILE` that names the nearest and all others, or the file and field at fault. */
export async function loadProfile(id: string, folders: Folders): Promise<Profile> {
  const ids = await listProfiles(folders);
  if (!ids.includes(id)) {
    const meant = nearest(id, ids);
    throw new AppError(
      "E_PROFILE",
      `there is no profile "${id}"${meant === undefined ? "" : `, did you mean "${meant}"?`}`,
      {
        hint: `Profiles: ${ids.join(", ")}.`,
      },
    );
  }
  for (const folder of profileFolders(folders)) {
    const file = join(folder, `${id}.json`);
    const profile = await readJson(file, profileSchema, "E_PROFILE");
    if (profile === undefined) continue;
    if (profile.id === id) return profile;
    throw new AppError("E_PROFILE", `${file}: id: must be "${id}" like the file's name, not "${profile.id}"`);
  }
  throw new AppError("E_PROFILE", `the profile "${id}" was removed while it was read`);
}

/** The first that has a profile wins. */
function profileFolders(folders: Folders): string[] {
  return [join(folders.config, "profiles"), join(packageRoot(), "profiles")];
}

async function idsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw new AppError("E_PROFILE", `cannot list ${folder}`, { cause: error });
  }
}
