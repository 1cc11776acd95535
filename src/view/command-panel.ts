// The command and check panel: exact argv and everything that is bound to the run. Used by proposal.ts.
import type { Messages } from "../i18n/messages.ts";
import { classOf } from "../policy/command-class.ts";
import { classifyShell } from "../policy/shell.ts";
import type { Command, CommandContent } from "../protocol/proposal.ts";
import { aboutCheck } from "./check.ts";
import { argvRows, exactLine, scriptRows, whyRows } from "./exact.ts";
import { indented, joined, labelled, type Row, span } from "./row.ts";

export function commandPanel(content: CommandContent, messages: Messages): Row[] {
  const { reason, commands, traits, environment, sandbox } = content;
  return [
    ...whyRows(reason, messages),
    ...checkRows(content, messages),
    ...(content.shell === undefined ? [] : shellRows(content.shell, messages)),
    ...commands.flatMap((command, i) => [
      ...labelled(
        messages["label.run"](i + 1, commands.length),
        runRows(command.argv, content.shell, messages),
      ),
      ...boundRows(command, messages),
    ]),
    ...traitRows(traits, messages),
    ...labelled(messages["label.sandbox"], [
      sandbox.kind === "none"
        ? [span(messages["sandbox.none"](sandbox.why), "warn")]
        : [span(messages["sandbox.bubblewrap"](sandbox.network, sandbox.git === "writable"), "ok")],
    ]),
    // Last, for it is long and changes least.
    ...labelled(messages["label.environment"], [
      [
        span(messages["command.environment"](environment.length)),
        ...(environment.length === 0 ? [] : [span(": ")]),
        ...joined(
          environment.map((name) => exactLine(name, "dim")),
          ", ",
        ),
      ],
    ]),
  ];
}

/** The gravest class, and what shows it. */
function traitRows(traits: CommandContent["traits"], messages: Messages): Row[] {
  if (traits.length === 0) return [];
  const name = classOf(traits);
  const style = name === "read-only" ? "ok" : name === "destructive" || isOpaque(traits) ? "error" : "warn";
  const reasons = traits.map(({ trait, because }) => [
    span(messages[`trait.${trait}`], trait === "destructive" || trait === "opaque" ? "error" : "warn"),
    span(" ("),
    ...exactLine(because),
    span(")"),
  ]);
  return labelled([span(name, style)], reasons);
}

function isOpaque(traits: CommandContent["traits"]): boolean {
  return traits.some(({ trait }) => trait === "opaque");
}

/** A command line's parts one by one, made from what was understood of it, then the text itself (TH22). */
function shellRows(text: string, messages: Messages): Row[] {
  const parts = classifyShell(text).parts.map(({ argv, cwd, text: written }, i) => {
    const [first, ...rest] = argv === null ? scriptRows(written, messages) : argvRows(argv, messages);
    const place = cwd === null || cwd === "." ? [] : [span(" ("), ...exactLine(cwd, "dim"), span(")")];
    return [[span(`${i + 1}. `, "dim"), ...(first ?? []), ...place], ...indented(rest)];
  });
  return [
    ...(parts.length === 0 ? [] : labelled(messages["label.shell"], parts.flat())),
    ...labelled(messages["label.shell_text"], scriptRows(text, messages)),
  ];
}

/** An argv, without the command line where that is shown on its own. */
function runRows(argv: readonly string[], shell: string | undefined, messages: Messages): Row[] {
  if (shell === undefined || argv.at(-1) !== shell) return argvRows(argv, messages);
  const rows = argvRows(argv.slice(0, -1), messages);
  return rows.map((row, i) =>
    i < rows.length - 1 ? row : [...row, span(` ${messages["command.shell_text"]}`, "dim")],
  );
}

function checkRows({ check }: CommandContent, messages: Messages): Row[] {
  if (check === undefined) return [];
  return labelled(messages["label.check"], [[span(aboutCheck(check, messages), "accent")]]);
}

function boundRows({ cwd, program, scripts, inputs, timeoutMs }: Command, messages: Messages): Row[] {
  const folder = cwd === "." ? [span(`. ${messages["command.root"]}`)] : exactLine(cwd);
  return [
    ...labelled(messages["label.in"], [folder]),
    ...labelled(messages["label.program"], [exactLine(program)]),
    ...(scripts.length === 0
      ? []
      : labelled(
          messages["label.scripts"],
          scripts.flatMap(({ name, body }) => labelled(exactLine(name, "dim"), scriptRows(body, messages))),
        )),
    ...(inputs.length === 0
      ? []
      : labelled(messages["label.inputs"], [
          joined(
            inputs.map(({ path }) => exactLine(path)),
            ", ",
          ),
        ])),
    ...labelled(messages["label.limit"], [[span(messages["command.limit"](timeoutMs))]]),
  ];
}
