// What never reaches the gate: effects that the session's mode or the guided workflow rules out. Pure.
import type { ProposalContent, TraitName } from "../protocol/proposal.ts";
import type { Mode } from "../protocol/record.ts";

const barredInGuided: readonly TraitName[] = ["opaque", "destructive", "git-write"];
/** Command lines are there in guided tasks only when the user allows them, and each is asked: only git's state stays shut. */
const barredForShell: readonly TraitName[] = ["git-write"];

/** Why this effect is blocked, worded for the model; null when it may be asked. */
export function blockReason(
  content: ProposalContent,
  options: { mode: Mode; guided: boolean; offline?: boolean },
): string | null {
  if (content.kind !== "command") return null;
  if (options.mode !== "edit") return "This session may not run anything; nothing was run.";
  const network = content.traits.find(({ trait }) => trait === "network");
  if (options.offline === true && network)
    return `This session is offline (--offline), and ${network.because} needs the network. Nothing was run.`;
  if (!options.guided || content.check) return null;
  const bars = content.shell === undefined ? barredInGuided : barredForShell;
  const barred = content.traits.find(({ trait }) => bars.includes(trait));
  if (!barred) return null;
  return `Guided tasks do not run ${wording[barred.trait] ?? barred.trait} commands (${barred.because}). Nothing was run; use the other tools, or say in your answer what the user should run.`;
}

const wording: Partial<Record<TraitName, string>> = {
  opaque: "unreadable",
  destructive: "destructive",
  "git-write": "git-writing",
};
