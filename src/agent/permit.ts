// What becomes of proposals and reads before anyone is asked: the session's permissions put to the pure policy (design §5). Used by
// decide.ts and reads.ts.
import { posix } from "node:path";
import { hostOf } from "../policy/address.ts";
import { useOfArgv } from "../policy/command.ts";
import { argvsIn } from "../policy/commands/nested.ts";
import type { Touch } from "../policy/commands/use.ts";
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

/** The same for a read that is no proposal yet; `paths` are what it names, `trees` the folders that it reads whole. */
export function readPermission(
  run: TaskRun,
  tool: string,
  { paths = [], trees = [] }: { paths?: readonly string[]; trees?: readonly string[] },
): Permission {
  const { mode, rules, always } = run.ports.permissions;
  const { guided } = run.options;
  const request: PermissionRequest = {
    tool,
    kind: "read",
    traits: ["reads"],
    found: [],
    programs: [],
    paths,
    trees,
  };
  return permit(request, {
    mode,
    rules,
    always,
    guided,
    tainted: run.ports.permissions.tainted,
  });
}

/** The tool that rules name for each kind of proposal. */
function requestOf(content: ProposalContent): PermissionRequest {
  const effect = { kind: "effect", traits: [], found: [], programs: [], paths: [], trees: [] } as const;
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
      return { ...effect, tool: "web_fetch", traits: ["network"], host: hostOf(new URL(content.url)) };
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

function programsOf({
  shell,
  commands,
}: CommandContent): Omit<PermissionRequest, "tool" | "kind" | "traits"> {
  const cwd = commands[0]?.cwd ?? ".";
  if (shell === undefined) {
    const programs = commands.map(({ argv }) => argv);
    const touches = programs.flatMap((argv) => useOfArgv(argv).touches);
    // What a wrapper among the words would start counts for a refusal, too.
    return { programs, found: programs.flatMap((argv) => argvsIn(argv)), ...placesOf(touches, cwd) };
  }
  const { parts, found, use } = classifyShell(shell);
  const programs = parts.flatMap(({ argv }) => (argv === null ? [] : [argv]));
  return {
    found,
    programs: programs.length === parts.length ? programs : null,
    ...placesOf(use.touches, cwd),
  };
}

function placesOf(touches: readonly Touch[], cwd: string): Pick<PermissionRequest, "paths" | "trees"> {
  const places = touches.map(({ path, how }) => ({ path: posix.join(cwd, path), how }));
  const isTree = ({ how }: Pick<Touch, "how">): boolean => how === "tree" || how === "copied";
  return {
    paths: places.map(({ path }) => path),
    trees: places.filter(isTree).map(({ path }) => path),
  };
}
