// Proposals: every effect as plain data before it happens, and the decisions on them (design §2).
// Built by tools, shown by the view, decided at the gate, carried out by src/agent/perform-*.ts through src/workspace/.
import * as z from "zod";

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** A file's bytes by content: sha-256 in hex and size in bytes. The bytes are in the session's blobs. */
export const blobRefSchema = z.strictObject({ hash: digestSchema, size: z.number().int().nonnegative() });
export type BlobRef = z.infer<typeof blobRefSchema>;

/** One run of changed lines with its context. `oldStart`/`newStart` count from 1; 0 when that side is empty. */
const hunkSchema = z.strictObject({
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  /** Lines with their mark (" ", "-", "+" or "\\") in front, without line ending. */
  lines: z.array(z.string()),
});
export type Hunk = z.infer<typeof hunkSchema>;

/** What happens to one path. A rename has `from`; a created file has no `before`, a deleted one no `after`. */
const patchFileSchema = z.strictObject({
  path: z.string(),
  from: z.string().optional(),
  before: blobRefSchema.nullable(),
  after: blobRefSchema.nullable(),
  /** Permission bits the file has or gets (0o644, 0o755, …). */
  mode: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
  hunks: z.array(hunkSchema),
  /** Things a reader must know that the lines do not show, e.g. "2 names for this file (hard link)". */
  notes: z.array(z.string()),
});
export type PatchFile = z.infer<typeof patchFileSchema>;

/** One program run: exact argv, where, and what is bound to it. */
const commandSchema = z.strictObject({
  argv: z.array(z.string()).min(1),
  /** Workspace-relative folder, "." for the root. */
  cwd: z.string(),
  /** Identity of that folder when it was shown: device and inode. */
  cwdId: z.string(),
  /** Absolute real path of the program that will run, and its identity (device, inode, size, mtime). */
  program: z.string(),
  programId: z.string(),
  timeoutMs: z.number().int().positive(),
  /** Files whose content decides what runs (manifest, runner config, entry file), by workspace path. */
  inputs: z.array(z.strictObject({ path: z.string(), hash: digestSchema })),
  /** Script bodies that will run, in order, as the user must see them: `{name: "pretest", body: "tsc"}`. */
  scripts: z.array(z.strictObject({ name: z.string(), body: z.string() })),
});
export type Command = z.infer<typeof commandSchema>;

/** Where a check came from: the settings, a manifest in the workspace, the approved plan, or the call itself. */
export const checkOriginSchema = z.enum(["settings", "manifest", "plan", "call"]);
export type CheckOrigin = z.infer<typeof checkOriginSchema>;

const traitNameSchema = z.enum([
  "reads",
  "writes",
  "git-write",
  "network",
  "runs-project-code",
  "destructive",
  "opaque",
]);
export type TraitName = z.infer<typeof traitNameSchema>;
/** How a program is confined: not at all, and why; or to the workspace, with or without network and git's own files. */
const confinementSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none"), why: z.string() }),
  z.strictObject({
    kind: z.literal("bubblewrap"),
    network: z.boolean(),
    git: z.enum(["read-only", "writable"]),
  }),
]);
export type Confinement = z.infer<typeof confinementSchema>;

/** One thing a command can do, with the word that showed it (design §8). */
const traitSchema = z.strictObject({ trait: traitNameSchema, because: z.string() });
export type Trait = z.infer<typeof traitSchema>;

const planContentSchema = z.strictObject({
  kind: z.literal("plan"),
  summary: z.string(),
  steps: z.array(z.string()),
  /** The scope: exact workspace paths, or folders ending in "/". */
  files: z.array(z.string()),
  /** argv of a check that the model names because the project has none. */
  check: z.array(z.string()).optional(),
  /** What the project's own check is, as the panel says it; absent when it has none. */
  projectCheck: z.string().optional(),
  /** "call": the model asked for it; "step": made from a step that began with an effect. */
  origin: z.enum(["call", "step"]),
  /** Against the plan approved before: files that came and went. */
  added: z.array(z.string()),
  dropped: z.array(z.string()),
});
export type PlanContent = z.infer<typeof planContentSchema>;

/** Whether a path lies in a plan's scope: named exactly, or below a folder that ends in "/"; "./" is all. */
export function inScope(path: string, scope: PlanContent["files"]): boolean {
  return scope.some(
    (entry) => entry === path || entry === "./" || (entry.endsWith("/") && path.startsWith(entry)),
  );
}

const patchContentSchema = z.strictObject({
  kind: z.literal("patch"),
  reason: z.string(),
  files: z.array(patchFileSchema).min(1),
  /** Paths outside the approved plan's scope; a badge, not a refusal. */
  outsideScope: z.array(z.string()),
  /** Set when this patch answers a failed check: round i of n, and what failed. */
  repair: z.strictObject({ round: z.number(), of: z.number(), failing: z.array(z.string()) }).optional(),
});
export type PatchContent = z.infer<typeof patchContentSchema>;

export const commandContentSchema = z.strictObject({
  kind: z.literal("command"),
  reason: z.string(),
  /** A check is run by MiniCode's rules and can pay the debt; a plain command cannot. */
  check: z
    .strictObject({
      origin: checkOriginSchema,
      /** As the user would type it: "npm test". */
      label: z.string(),
      baseline: z.boolean(),
    })
    .optional(),
  /** Run in order; the first that does not exit 0 ends it. */
  commands: z.array(commandSchema).min(1),
  /** The command line, when the one command is a shell that reads it: its last word. */
  shell: z.string().optional(),
  traits: z.array(traitSchema),
  /** Names of the environment variables the program gets. */
  environment: z.array(z.string()),
  sandbox: confinementSchema,
});
export type CommandContent = z.infer<typeof commandContentSchema>;

/** The repair rounds are used up and the check still fails: one more, or stop here. */
const roundsContentSchema = z.strictObject({
  kind: z.literal("rounds"),
  used: z.number().int(),
  failing: z.array(z.string()),
});

const fetchContentSchema = z.strictObject({
  kind: z.literal("fetch"),
  reason: z.string(),
  url: z.string(),
});
export type FetchContent = z.infer<typeof fetchContentSchema>;
const memoryContentSchema = z.strictObject({
  kind: z.literal("memory"),
  reason: z.string(),
  action: z.enum(["remember", "forget"]),
  text: z.string(),
});
const delegateContentSchema = z.strictObject({
  kind: z.literal("delegate"),
  reason: z.string(),
  task: z.string(),
  maxSteps: z.number().int().positive(),
});
const readContentSchema = z.strictObject({
  kind: z.literal("read"),
  tool: z.string(),
  arguments: z.string(),
});

/** Everything that decides what happens; the digest covers exactly this. */
const proposalContentSchema = z.discriminatedUnion("kind", [
  planContentSchema,
  patchContentSchema,
  commandContentSchema,
  roundsContentSchema,
  fetchContentSchema,
  memoryContentSchema,
  delegateContentSchema,
  readContentSchema,
]);
export type ProposalContent = z.infer<typeof proposalContentSchema>;

/** A line of foreign text that reads like an order to an agent, and where it was read. */
const warningSchema = z.strictObject({ source: z.string(), quote: z.string() });
export type Warning = z.infer<typeof warningSchema>;

/** A frozen proposal: `digest` is the sha-256 of the canonical JSON of `content`. Shown as `seq` and 8 hex digits. */
export const proposalSchema = z.strictObject({
  seq: z.number().int().positive(),
  digest: digestSchema,
  content: proposalContentSchema,
  /** What the model had read before it asked for this. */
  warnings: z.array(warningSchema).optional(),
  /** Whether "RUN always" may be said to it; absent where no such rule can be made at all. */
  always: z.boolean().optional(),
});
export type Proposal = z.infer<typeof proposalSchema>;
export type ProposalKind = ProposalContent["kind"];

/** The word that confirms each kind (design §5). */
export const confirmWords = {
  plan: "CONTINUE",
  rounds: "CONTINUE",
  patch: "APPLY",
  memory: "APPLY",
  command: "RUN",
  fetch: "RUN",
  delegate: "RUN",
  read: "RUN",
} as const satisfies Record<ProposalKind, string>;

/** What a person types to confirm a proposal: what destroys needs its own id behind the word. */
export function confirmWord({ content, digest }: Pick<Proposal, "content" | "digest">): string {
  const word = confirmWords[content.kind];
  const destroys = content.kind === "command" && content.traits.some(({ trait }) => trait === "destructive");
  return destroys ? `${word} ${digest.slice(0, 8)}` : word;
}

/** The answer to a proposal, used once. `deny` comes from a rule, a mode or the lack of anyone to ask; `cancel` ends the task. */
export const decisionSchema = z.strictObject({
  seq: z.number().int().positive(),
  digest: digestSchema,
  verdict: z.enum(["approve", "reject", "deny", "cancel"]),
  by: z.union([z.literal("user"), z.templateLiteral([z.enum(["rule", "mode", "flag"]), ":", z.string()])]),
  feedback: z.string().optional(),
  /** "RUN always": the same proposal passes from now on, until an input changes or the process ends. */
  always: z.boolean().optional(),
});
export type Decision = z.infer<typeof decisionSchema>;
