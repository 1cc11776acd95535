// The tools a session has, by mode; one constant list, in one order, for the whole session (design §7).
import type { Mode } from "../protocol/record.ts";
import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { askUserTool } from "./ask-user.ts";
import type { Tool } from "./contract.ts";
import { findFilesTool } from "./find-files.ts";
import { gitTool } from "./git.ts";
import { listDirTool } from "./list-dir.ts";
import { proposePlanTool } from "./propose-plan.ts";
import { readFileTool } from "./read-file.ts";
import { readManyFilesTool } from "./read-many-files.ts";
import { readOutputTool } from "./read-output.ts";
import { replaceInFileTool } from "./replace-in-file.ts";
import { type CheckSettings, runCheckTool } from "./run-check.ts";
import { type CommandSettings, runCommandTool } from "./run-command.ts";
import { runShellTool } from "./run-shell.ts";
import { searchTextTool } from "./search-text.ts";
import { webFetchTool } from "./web-fetch.ts";
import { writeFileTool } from "./write-file.ts";

export interface ToolSettings {
  check: CheckSettings;
  command: CommandSettings;
}

/**
 * A tool and who is offered it: every session, guided or free ones only, free ones and guided ones that allow the shell, or
 * sessions whose profile or settings name it.
 */
export interface Offer {
  tool: Tool;
  to: "all" | "guided" | "free" | "shell" | "named";
}

/** Every tool there is, in the one order in which a session has its own. */
export function allTools(settings: ToolSettings): readonly Offer[] {
  return [
    { tool: anyInput(listDirTool), to: "all" },
    { tool: anyInput(readFileTool), to: "all" },
    { tool: anyInput(readManyFilesTool), to: "named" },
    { tool: anyInput(findFilesTool), to: "all" },
    { tool: anyInput(searchTextTool), to: "all" },
    { tool: anyInput(applyPatchTool), to: "all" },
    { tool: anyInput(replaceInFileTool), to: "named" },
    { tool: anyInput(writeFileTool), to: "named" },
    { tool: anyInput(runCheckTool(settings.check)), to: "all" },
    { tool: anyInput(runCommandTool(settings.command)), to: "all" },
    { tool: anyInput(runShellTool(settings.command)), to: "shell" },
    { tool: anyInput(readOutputTool), to: "free" },
    { tool: anyInput(gitTool), to: "all" },
    { tool: anyInput(webFetchTool), to: "free" },
    { tool: anyInput(askUserTool), to: "free" },
    { tool: anyInput(proposePlanTool(settings.check)), to: "guided" },
  ];
}

/** Throws `E_TOOLS`, with the nearest, for a name that no tool has; `where` is the setting that holds the names. */
export function checkToolNames(where: string, names: readonly string[], settings: ToolSettings): void {
  const known = allTools(settings).map(({ tool }) => tool.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const close = nearest(name, known);
    throw new AppError("E_TOOLS", `${where}: there is no tool "${name}"`, {
      hint: `${close ? `Did you mean ${close}? ` : ""}The tools are ${known.join(", ")}.`,
    });
  }
}

/**
 * The tools of a session. `only` is the list of a profile or of the settings, for models that do better with few or with
 * others; guided sessions keep propose_plan.
 */
export function toolsFor(
  session: { mode: Mode; guided: boolean; allowShell?: boolean; offline?: boolean },
  settings: ToolSettings,
  only?: readonly string[],
): readonly Tool[] {
  const offered = allTools(settings).filter(({ tool: { name, effect }, to }) => {
    if (to === "guided") return session.guided;
    if (to === "free" && session.guided) return false;
    if (to === "shell" && session.guided && session.allowShell !== true) return false;
    if (effect === "patch" && session.mode === "read") return false;
    if (effect === "fetch" && (session.mode !== "edit" || session.offline === true)) return false;
    if ((effect === "command" || name === readOutputTool.name) && session.mode !== "edit") return false;
    return only ? only.includes(name) : to !== "named";
  });
  return offered.map(({ tool }) => tool);
}

/** A tool whose input is whatever its own schema let through; the dispatcher parses before it calls. */
function anyInput<I>(tool: Tool<I>): Tool {
  return {
    ...tool,
    label: (input) => tool.label(tool.input.parse(input)),
    prepare: (input, context) => tool.prepare(tool.input.parse(input), context),
  };
}
