// The tools a session has, by mode; one constant list, in one order, for the whole session (design §7).
import type { Mode } from "../protocol/record.ts";
import { AppError } from "../util/errors.ts";
import { nearest } from "../util/nearest.ts";
import { applyPatchTool } from "./apply-patch.ts";
import type { Tool } from "./contract.ts";
import { findFilesTool } from "./find-files.ts";
import { gitTool } from "./git.ts";
import { listDirTool } from "./list-dir.ts";
import { proposePlanTool } from "./propose-plan.ts";
import { readFileTool } from "./read-file.ts";
import { type CheckSettings, runCheckTool } from "./run-check.ts";
import { type CommandSettings, runCommandTool } from "./run-command.ts";
import { searchTextTool } from "./search-text.ts";

export interface ToolSettings {
  check: CheckSettings;
  command: CommandSettings;
}

/**
 * The tools of a session. `only` narrows them to the named ones, for models that do better with few; guided sessions keep
 * propose_plan. Throws `E_TOOLS` when a name is unknown.
 */
export function toolsFor(
  session: { mode: Mode; guided: boolean },
  settings: ToolSettings,
  only?: readonly string[],
): readonly Tool[] {
  const all: Tool[] = [
    anyInput(listDirTool),
    anyInput(readFileTool),
    anyInput(findFilesTool),
    anyInput(searchTextTool),
    anyInput(applyPatchTool),
    anyInput(runCheckTool(settings.check)),
    anyInput(runCommandTool(settings.command)),
    anyInput(gitTool),
    anyInput(proposePlanTool(settings.check)),
  ];
  const names = all.map((t) => t.name);
  for (const name of only ?? []) {
    if (names.includes(name)) continue;
    const close = nearest(name, names);
    throw new AppError("E_TOOLS", `There is no tool "${name}".`, {
      hint: `${close ? `Did you mean ${close}? ` : ""}The tools are ${names.join(", ")}.`,
    });
  }
  return all.filter(({ name, effect }) => {
    if (effect === "plan") return session.guided;
    if (effect === "patch" && session.mode === "read") return false;
    if (effect === "command" && session.mode !== "edit") return false;
    return !only || only.includes(name);
  });
}

/** A tool whose input is whatever its own schema let through; the dispatcher parses before it calls. */
function anyInput<I>(tool: Tool<I>): Tool {
  return {
    ...tool,
    label: (input) => tool.label(tool.input.parse(input)),
    prepare: (input, context) => tool.prepare(tool.input.parse(input), context),
  };
}
