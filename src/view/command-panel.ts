// The command and check panel: exact argv and everything that is bound to the run. Used by proposal.ts.
import type { Messages } from "../i18n/messages.ts";
import type { Command, CommandContent } from "../protocol/proposal.ts";
import { aboutCheck } from "./check.ts";
import { argvRows, exactLine, scriptRows, whyRows } from "./exact.ts";
import { joined, labelled, type Row, span } from "./row.ts";

export function commandPanel(content: CommandContent, messages: Messages): Row[] {
  const { reason, commands, traits, environment, sandbox } = content;
  return [
    ...whyRows(reason, messages),
    ...checkRows(content, messages),
    ...commands.flatMap((command, i) => [
      ...labelled(messages["label.run"](i + 1, commands.length), argvRows(command.argv, messages)),
      ...boundRows(command, messages),
    ]),
    ...(traits.length === 0
      ? []
      : labelled(
          messages["label.can"],
          traits.map(({ trait, because }) => [
            span(
              messages[`trait.${trait}`],
              trait === "destructive" || trait === "opaque" ? "error" : "warn",
            ),
            span(" ("),
            ...exactLine(because),
            span(")"),
          ]),
        )),
    ...labelled(messages["label.sandbox"], [
      [span(messages[`sandbox.${sandbox}`], sandbox === "none" ? "warn" : "ok")],
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
