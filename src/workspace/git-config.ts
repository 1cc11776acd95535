// The few keys of a repository's config that change what its files mean. Everything else in it is never read (D2, TH23–TH32).
// Used by git-shadow.ts.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../util/errors.ts";
import { sha256 } from "../util/hash.ts";
import { readPlain, unusable } from "./git-files.ts";
import { runGit } from "./git-program.ts";
import type { Repository } from "./git-repository.ts";

const configLimit = 1024 * 1024;

const allowed: Readonly<Record<string, RegExp>> = {
  "core.filemode": /^(?:true|false)$/,
  "core.ignorecase": /^(?:true|false)$/,
  "core.precomposeunicode": /^(?:true|false)$/,
  "core.symlinks": /^(?:true|false)$/,
  "core.autocrlf": /^(?:true|false|input)$/,
  "core.eol": /^(?:lf|crlf|native)$/,
  "core.sparsecheckout": /^(?:true|false)$/,
  "core.sparsecheckoutcone": /^(?:true|false)$/,
  "extensions.objectformat": /^(?:sha1|sha256)$/,
};

/** What the shadow's config says in any case. Drivers, helpers and hooks have no names here, so none can be called. */
const fixed: Readonly<Record<string, string>> = {
  "core.repositoryformatversion": "1",
  "core.bare": "false",
  "core.fsmonitor": "false",
  "core.untrackedcache": "false",
  "core.hookspath": "/dev/null",
  "core.attributesfile": "/dev/null",
  "core.excludesfile": "/dev/null",
  "core.quotepath": "false",
  "core.safecrlf": "false",
  "protocol.allow": "never",
  "submodule.recurse": "false",
};

export type RepositoryConfig = ReadonlyMap<string, string>;

/**
 * The repository's own config as last value per lower-case key. git itself parses it, as a copy and without includes;
 * nothing in it takes effect by being listed.
 */
export async function readConfig(
  repository: Repository,
  scratch: string,
  git: string,
  signal: AbortSignal,
): Promise<RepositoryConfig> {
  const common = await listConfig(join(repository.commonDir, "config"), scratch, git, signal);
  if (!isTrue(common.get("extensions.worktreeconfig"))) return common;
  const own = await listConfig(join(repository.gitDir, "config.worktree"), scratch, git, signal);
  return new Map([...common, ...own]);
}

/** The shadow's config: the fixed values and the repository's values for the allowed keys. */
export function shadowConfig(config: RepositoryConfig): string {
  const values = new Map<string, string>();
  for (const [key, pattern] of Object.entries(allowed)) {
    const value = asWord(config.get(key));
    if (value !== undefined && pattern.test(value)) values.set(key, value);
  }
  for (const [key, value] of Object.entries(fixed)) values.set(key, value);
  return [...values]
    .map(([key, value]) => {
      const [section, name] = key.split(".");
      return `[${section}]\n\t${name} = ${value}\n`;
    })
    .join("");
}

/** Listings by the bytes of the file: a session sees one or two, and asks for them with every look at the repository. */
const listed = new Map<string, RepositoryConfig>();

async function listConfig(
  path: string,
  scratch: string,
  git: string,
  signal: AbortSignal,
): Promise<RepositoryConfig> {
  const file = await readPlain(path, configLimit);
  if (file === null) return new Map();
  const key = sha256(file.bytes);
  const known = listed.get(key);
  if (known) return known;
  const copy = join(scratch, "their-config");
  await writeFile(copy, file.bytes);
  const args = ["config", "--file", copy, "--no-includes", "--null", "--list"];
  const env = { GIT_DIR: join(scratch, "no-repository") };
  const ran = await runGit({ git, args, cwd: scratch, env, maxBytes: configLimit, signal });
  if (!ran.ok) {
    if (ran.refusal.outcome === "error") throw unusable(`${path} is not a valid config`);
    throw new AppError("E_GIT", ran.refusal.message);
  }
  const entries = ran.value.output
    .toString()
    .split("\0")
    .filter((entry) => entry !== "");
  const config = new Map(
    entries.map((entry): [string, string] => {
      const end = entry.indexOf("\n");
      return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
  listed.set(key, config);
  return config;
}

/** Booleans in one spelling; other values in lower case. */
function asWord(value: string | undefined): string | undefined {
  const word = value?.toLowerCase();
  if (word === "yes" || word === "on" || word === "1") return "true";
  if (word === "no" || word === "off" || word === "0" || word === "") return "false";
  return word;
}

function isTrue(value: string | undefined): boolean {
  return asWord(value) === "true";
}
