// Permission modes and rules: what passes, what asks and what is denied (design §5). Pure; asked by src/agent/ for every
// proposal of a session, its schemas are part of the user's settings.
import * as z from "zod";
import type { Decision, TraitName } from "../protocol/proposal.ts";
import { actedOnBy } from "./self-acting.ts";

export const permissionModeSchema = z.enum(["ask", "auto-read", "trusted"]);
export type PermissionMode = z.infer<typeof permissionModeSchema>;
export const permissionModes = permissionModeSchema.options;

/**
 * One rule of the user's. It speaks of a tool ("*" for all), and narrows by the words of a program (a word, "*" for any one,
 * a last "**" for any rest), by workspace path ("*" within a folder, "**" across folders) or by host (itself and below).
 */
export const ruleSchema = z.strictObject({
  /** Its name in decisions; `rule N` of the list without one. */
  id: z
    .string()
    .regex(/^[\w.-]{1,40}$/, "must be 1 to 40 letters, digits, dots, dashes or underscores")
    .optional(),
  effect: z.enum(["allow", "ask", "deny"]),
  tool: z.string().min(1),
  argv: z
    .array(z.string())
    .min(1)
    .refine((words) => words[0] !== "*" && words[0] !== "**", "must begin with the name of a program")
    .optional(),
  path: z.string().min(1).optional(),
  host: z.string().min(1).optional(),
});
export type Rule = z.infer<typeof ruleSchema>;

/** What the rules are asked about. */
export interface PermissionRequest {
  tool: string;
  /** "read" changes nothing; "plan" is the order of work and always asks; "effect" is all else. */
  kind: "read" | "plan" | "effect";
  traits: readonly TraitName[];
  /** The words of every program that was found, also in text that is not understood: what a refusing rule looks at. */
  found: readonly (readonly string[])[];
  /** The words of each program, all of them; null where they cannot all be told, so that no rule allows it. */
  programs: readonly (readonly string[])[] | null;
  /** The workspace paths that are touched, as far as its words tell. */
  paths: readonly string[];
  /** Folders of which everything below is read. */
  trees: readonly string[];
  host?: string;
  /** The digest of a proposal, for RUN always. */
  digest?: string;
}

export interface PermissionSituation {
  mode: PermissionMode;
  rules: readonly Rule[];
  /** Digests that RUN always was given for, with the number of the proposal it was given at. */
  always: ReadonlyMap<string, number>;
  guided: boolean;
  /** The model has read text that gives orders to agents: nothing above reading passes by itself (TH95). */
  tainted: boolean;
}

export type Permission =
  | { verdict: "pass" | "deny"; by: Decision["by"] }
  | { verdict: "ask"; by?: Decision["by"] };

/**
 * Deny wins over ask, ask over allow, a rule over the mode. What is opaque or destructive never passes, in no mode and by no
 * rule; guided sessions let nothing but reads pass. Anything else that is not plainly let through asks.
 */
export function permit(request: PermissionRequest, situation: PermissionSituation): Permission {
  const denied = find(situation.rules, "deny", (rule) => touches(rule, request));
  if (denied !== undefined) return { verdict: "deny", by: denied };
  if (request.kind === "plan") return { verdict: "ask" };
  if (situation.guided) {
    return request.kind === "read" ? { verdict: "pass", by: "mode:guided" } : { verdict: "ask" };
  }
  const asked = find(situation.rules, "ask", (rule) => touches(rule, request));
  if (asked !== undefined) return { verdict: "ask", by: asked };
  if (has(request, "opaque", "destructive")) return { verdict: "ask" };
  const seq = request.digest === undefined ? undefined : situation.always.get(request.digest);
  if (seq !== undefined) return { verdict: "pass", by: `rule:always-${seq}` };
  const onlyReads = request.kind === "read" || isReading(request);
  if (situation.tainted && !onlyReads) return { verdict: "ask" };
  const allowed = allowedBy(request, situation.rules);
  if (allowed !== undefined) return { verdict: "pass", by: allowed };
  return passesByMode(request, situation, onlyReads)
    ? { verdict: "pass", by: `mode:${situation.mode}` }
    : { verdict: "ask" };
}

function passesByMode(
  request: PermissionRequest,
  { mode }: PermissionSituation,
  onlyReads: boolean,
): boolean {
  if (mode === "ask") return false;
  if (onlyReads) return true;
  if (mode !== "trusted" || request.host !== undefined) return false;
  // Without any trait nothing is known.
  if (request.traits.length === 0 || !staysInFiles(request)) return false;
  return request.paths.every((path) => actedOnBy(path) === null);
}

/** It reads and writes what it names, and does nothing else: nobody can say as much of the project's own code. */
function staysInFiles({ traits }: PermissionRequest): boolean {
  return traits.every((trait) => trait === "reads" || trait === "writes");
}

function isReading({ traits }: PermissionRequest): boolean {
  return traits.length > 0 && traits.every((trait) => trait === "reads");
}

function has(request: PermissionRequest, ...traits: TraitName[]): boolean {
  return request.traits.some((trait) => traits.includes(trait));
}

function find(
  rules: readonly Rule[],
  effect: Rule["effect"],
  fits: (rule: Rule) => boolean,
): `rule:${string}` | undefined {
  const at = rules.findIndex((rule) => rule.effect === effect && fits(rule));
  const rule = rules[at];
  return rule && `rule:${rule.id ?? at + 1}`;
}

/** Whether a rule speaks of any part of the request: how denying and asking are read. */
function touches(rule: Rule, request: PermissionRequest): boolean {
  if (!isFor(rule, request)) return false;
  const { argv, path, host } = rule;
  return (
    (argv === undefined || request.found.some((words) => matchesArgv(argv, words, plainName))) &&
    (path === undefined ||
      request.paths.some((one) => matchesPath(path, one)) ||
      // What such a rule denies is closed to searches, one file at a time.
      (!closes(rule) && request.trees.some((tree) => reaches(path, tree)))) &&
    (host === undefined || (request.host !== undefined && matchesHost(host, request.host)))
  );
}

/** The rule that lets the request through when its every part is covered by an allowing rule: the first of them. */
function allowedBy(request: PermissionRequest, rules: readonly Rule[]): `rule:${string}` | undefined {
  const mine = rules.filter(
    (rule) => rule.effect === "allow" && isFor(rule, request) && applies(rule, request),
  );
  const covers = (fits: (rule: Rule) => boolean): boolean => mine.some(fits);
  if (request.programs === null) return undefined;
  const programs = request.programs.every((words) =>
    covers(({ argv }) => argv === undefined || matchesArgv(argv, words, (word) => word)),
  );
  const all = [...request.paths, ...request.trees.map(deepIn)];
  const paths = all.every((one) => covers(({ path }) => path === undefined || matchesPath(path, one)));
  const { host: wanted } = request;
  const host = wanted === undefined || covers(({ host }) => host !== undefined && matchesHost(host, wanted));
  const first = mine[0];
  return programs && paths && host && first ? find(rules, "allow", (rule) => rule === first) : undefined;
}

/** A rule that narrows by something allows only requests that have it, and paths only where they are all there is to tell. */
function applies({ argv, path, host }: Rule, request: PermissionRequest): boolean {
  return (
    (argv === undefined || request.programs?.length !== 0) &&
    (path === undefined || (request.paths.length + request.trees.length > 0 && staysInFiles(request))) &&
    (host === undefined || request.host !== undefined)
  );
}

/** A path that only a pattern for everything below the folder matches. */
function deepIn(folder: string): string {
  return folder === "." ? "\u0000/\u0000" : `${folder}/\u0000/\u0000`;
}

/** Such a rule closes its paths to every tool, also where they are only met on the way. */
function closes({ effect, tool, argv, path, host }: Rule): boolean {
  return effect === "deny" && tool === "*" && path !== undefined && argv === undefined && host === undefined;
}

/** The rule that closes a workspace path, "rule:private", or null. */
export function closedByRule(rules: readonly Rule[], path: string): string | null {
  return (
    find(rules, "deny", (rule) => closes(rule) && rule.path !== undefined && matchesPath(rule.path, path)) ??
    null
  );
}

function isFor(rule: Rule, { tool }: PermissionRequest): boolean {
  return rule.tool === "*" || rule.tool === tool;
}

/** `name` reads a program's word: a rule that refuses means the program wherever it lies, one that allows the very word. */
function matchesArgv(
  pattern: readonly string[],
  words: readonly string[],
  name: (word: string) => string,
): boolean {
  const open = pattern.at(-1) === "**";
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (open ? words.length < fixed.length : words.length !== fixed.length) return false;
  return fixed.every((word, i) => {
    const given = words[i] ?? "";
    return word === "*" || word === given || (i === 0 && word === name(given));
  });
}

function plainName(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
}

function matchesPath(pattern: string, path: string): boolean {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => {
      if (part === "**/") return "(?:[^/]+/)*";
      if (part === "**") return ".*";
      return part === "*" ? "[^/]*" : part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, "su").test(path);
}

/** Whether a pattern can match anything below a folder. */
function reaches(pattern: string, folder: string): boolean {
  if (folder === ".") return true;
  const parts = pattern.split("/");
  for (const [i, name] of folder.split("/").entries()) {
    const part = parts[i];
    if (part === undefined) return false;
    if (part.includes("**")) return true;
    if (!matchesPath(part, name)) return false;
  }
  return parts.length > folder.split("/").length;
}

/** The host itself or one below it, at a dot (TH93). */
function matchesHost(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase();
  return host === wanted || host.endsWith(`.${wanted}`);
}
