// The six names for what a command can do, by its gravest trait (design §8). Used by the panel.
import type { Trait, TraitName } from "../protocol/proposal.ts";

/** From harmless to grave. */
export const commandClasses = [
  "read-only",
  "workspace-write",
  "git-write",
  "network",
  "shell-write",
  "destructive",
] as const;
export type CommandClass = (typeof commandClasses)[number];

const classes: Readonly<Record<TraitName, CommandClass>> = {
  reads: "read-only",
  writes: "workspace-write",
  "git-write": "git-write",
  network: "network",
  "runs-project-code": "shell-write",
  opaque: "shell-write",
  destructive: "destructive",
};

/** The gravest of the traits' classes; without any trait nothing is known, which is not harmless. */
export function classOf(traits: readonly Trait[]): CommandClass {
  if (traits.length === 0) return "shell-write";
  const ranks = traits.map(({ trait }) => commandClasses.indexOf(classes[trait]));
  return commandClasses[Math.max(...ranks)] ?? "shell-write";
}
