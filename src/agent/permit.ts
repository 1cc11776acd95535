// What becomes of proposals and reads before anyone is asked: the session's permissions put to the pure policy (design §5). Used by
// decide.ts and reads.ts.
import { argvsIn } from "../policy/commands/nested.ts";
import { type Permission, type PermissionRequest, permit } from "../policy/rules.ts";
import { classifyShell } from "../policy/shell.ts";
import type { CommandContent, ProposalContent, TraitName } from "../protocol/proposal.ts";
import { digestOf } from "../util/hash.ts";
import type { TaskRun } from "./task.ts";

/** What becomes of a proposal before anyone is asked. */
export function permission(run: TaskRun, content: ProposalContent): Permission {
  const { mode, rules, always } = run.ports.permissions;
  return permit(
    { ...requestOf(content), digest: alwaysKey(content) },
    {
      mode,
      rules,
      always,
      guided: run.options.guided,
      confined: isConfined(content),
      tainted: run.ports.permissions.tainted,
    },
  );
}

/** What makes a command the same again for RUN always: all that its digest binds, but for the words that explain it. */
export function alwaysKey(content: ProposalContent): string {
  if (content.kind !== "command") return digestOf(content);
  const { check } = content;
  return digestOf({ ...content, reason: "", ...(check ? { check: { ...check, baseline: false } } : {}) });
}

/**
 * Whether RUN always may be said: only to commands that reach no further than the very inputs their digest binds (TH61).
 * Undefined where it cannot be said at all.
 */
export function offersAlways(run: TaskRun, content: ProposalContent): boolean | undefined {
  if (content.kind !== "command" || run.options.guided) return undefined;
  return !content.traits.some(({ trait }) => reachFurther.includes(trait));
}

const reachFurther: readonly TraitName[] = ["opaque", "destructive", "network", "git-write"];

/** The same for a read that is no proposal yet; `paths` are what it names. */
export function readPermission(run: TaskRun, tool: string, paths: readonly string[]): Permission {
  const { mode, rules, always } = run.ports.permissions;
  const { guided } = run.options;
  const request: PermissionRequest = {
    tool,
    kind: "read",
    traits: ["reads"],
    found: [],
    programs: [],
    paths,
  };
  return permit(request, {
    mode,
    rules,
    always,
    guided,
    confined: false,
    tainted: run.ports.permissions.tainted,
  });
}

function isConfined(content: ProposalContent): boolean {
  return content.kind === "command" && content.sandbox.kind !== "none";
}

/** The tool that rules name for each kind of proposal. */
function requestOf(content: ProposalContent): PermissionRequest {
  const effect = { kind: "effect", traits: [], found: [], programs: [], paths: [] } as const;
  switch (content.kind) {
    case "plan":
    case "rounds":
      return { ...effect, tool: content.kind, kind: "plan" };
    case "patch": {
      const paths = content.files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
      return { ...effect, tool: "apply_patch", traits: ["writes"], paths };
    }
    case "command":
      return {
        ...effect,
        tool: content.check ? "run_check" : content.shell === undefined ? "run_command" : "run_shell",
        traits: content.traits.map(({ trait }) => trait),
        ...programsOf(content),
      };
    case "fetch":
      return { ...effect, tool: "web_fetch", traits: ["network"], host: new URL(content.url).hostname };
    case "memory":
      return {
        ...effect,
        tool: content.action === "remember" ? "remember" : "forget_memory",
        traits: ["writes"],
      };
    case "delegate":
      return { ...effect, tool: "delegate", traits: ["opaque"] };
    case "read":
      return { ...effect, tool: content.tool, kind: "read", traits: ["reads"] };
  }
}

function programsOf({ shell, commands }: CommandContent): Pick<PermissionRequest, "found" | "programs"> {
  if (shell === undefined) {
    const programs = commands.map(({ argv }) => argv);
    // What a wrapper among the words would start counts for a refusal, too.
    return { programs, found: programs.flatMap((argv) => argvsIn(argv)) };
  }
  const { parts, found } = classifyShell(shell);
  const programs = parts.flatMap(({ argv }) => (argv === null ? [] : [argv]));
  return { found, programs: programs.length === parts.length ? programs : null };
}
