// `minicode tools`: every tool there is, what it can do, where it is offered and its bounds; with --json its schema, too.
import { toolSpecs } from "../agent/specs.ts";
import { toolSettings } from "../app.ts";
import { folders } from "../config/folders.ts";
import { settingsInForce } from "../config/resolve-settings.ts";
import type { Tool } from "../tools/contract.ts";
import { allTools, type Offer } from "../tools/registry.ts";
import { rowsToText } from "../view/plain.ts";
import { indented, type Row, span } from "../view/row.ts";
import { exitCodes } from "./exit-codes.ts";
import { type Flags, usage } from "./flags.ts";
import { type Io, wantsColor, write } from "./io.ts";
import { wrapWords } from "./words.ts";

const WIDTH = 100;

export async function tools(words: readonly string[], flags: Flags, io: Io): Promise<number> {
  if (words.length > 0) throw usage("tools takes no words");
  const { settings } = await settingsInForce(folders(io.env, process.platform), io.env, {});
  const offers = allTools(toolSettings(settings, {}, { kind: "none", why: "" }));
  if (flags.json) {
    await write(io.stdout, `${JSON.stringify(offers.map(described))}\n`);
    return exitCodes.done;
  }
  const width = Math.min(io.stdout.columns ?? WIDTH, WIDTH);
  const rows = offers.flatMap((offer, i) => [...(i === 0 ? [] : [[]]), ...toolRows(offer, width)]);
  await write(io.stdout, `${rowsToText(rows, { color: wantsColor(io.stdout, io.env) })}\n`);
  return exitCodes.done;
}

function described({ tool, to }: Offer) {
  const [spec] = toolSpecs([tool]);
  const { name, description, effect, limits } = tool;
  return { name, class: effect, offered: offered[to], limits, description, schema: spec?.parameters };
}

function toolRows({ tool, to }: Offer, width: number): Row[] {
  const about = [classes[tool.effect], offered[to], `bounds: ${tool.limits}`];
  return [
    [span(tool.name, "title")],
    ...indented(
      [...about, tool.description].flatMap((text) => wrapWords(text, width - 2).map((line) => [span(line)])),
    ),
    ...indented(parameterRows(tool, width)),
  ];
}

/** One line per parameter: its name, whether it may be left out, its type. */
function parameterRows(tool: Tool, width: number): Row[] {
  const [spec] = toolSpecs([tool]);
  const required = spec?.parameters["required"];
  const properties = Object.entries(spec?.parameters["properties"] ?? {});
  return properties.flatMap(([name, schema]) => {
    const optional = Array.isArray(required) && required.includes(name) ? "" : "?";
    return wrapWords(`${name}${optional}: ${typeText(schema)}`, width - 4).map(
      (line, i): Row => [span(i === 0 ? line : `  ${line}`, "dim")],
    );
  });
}

function typeText(schema: unknown): string {
  const field = (name: string): unknown =>
    typeof schema === "object" && schema !== null ? Reflect.get(schema, name) : undefined;
  const choices = field("enum");
  const note = field("description");
  const type = Array.isArray(choices) ? choices.join(" | ") : String(field("type") ?? "one of several");
  const inner = type === "array" ? `list of ${typeText(field("items"))}` : type;
  return typeof note === "string" ? `${inner} (${note})` : inner;
}

const classes: Record<Tool["effect"], string> = {
  read: "reads: changes nothing; neighbouring reads run side by side",
  question: "asks you: changes nothing",
  plan: "plan: waits for CONTINUE",
  patch: "patch: waits for APPLY, unless your permissions let it pass",
  fetch: "fetch: waits for RUN; leaves this machine",
  command: "command: waits for RUN, unless your permissions let it pass",
};

const offered: Record<Offer["to"], string> = {
  all: "offered in every session whose mode allows it",
  guided: "offered in guided sessions",
  free: "offered in sessions that are not guided",
  shell: "offered in sessions that are not guided, and in guided ones with --allow-shell",
  named: "offered when a profile or the setting `tools` names it",
};
