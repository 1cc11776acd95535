// The receipt at the end of a task, drawn from recorded facts. Used by the TUI and print mode.
import type { Messages } from "../i18n/messages.ts";
import type { TaskOutcome } from "../protocol/outcome.ts";
import type { Receipt, ReceiptCheck } from "../protocol/receipt.ts";
import type { UsageTotals } from "../protocol/usage.ts";
import { aboutCheck, checkResultSpan } from "./check.ts";
import { exactLine, failingRows, nameList } from "./exact.ts";
import { indented, joined, labelled, type Row, type Span, type Style, span } from "./row.ts";
import { usageText } from "./usage.ts";

/** The outcome in one sentence and, indented below it, everything that stands behind it. */
export function receiptRows(receipt: Receipt, messages: Messages): Row[] {
  return [
    ...outcomeRows(receipt, messages),
    ...indented([
      ...fileRows(receipt, messages),
      ...receipt.checks.flatMap((check) => checkRows(check, messages)),
      ...treeRows(receipt, messages),
      ...scopeRows(receipt, messages),
      ...(receipt.drift.length === 0
        ? []
        : labelled(messages["label.drift"], [nameList(receipt.drift, messages)])),
      ...(receipt.fetched.length === 0
        ? []
        : labelled(messages["label.fetched"], [nameList(receipt.fetched, messages)])),
      ...refusalRows(receipt, messages),
      ...claimRows(receipt, messages),
      ...gitRows(receipt, messages),
      ...usageRows(receipt, messages),
      closingRow(receipt, messages),
    ]),
  ];
}

/** An answer is worth what its work is worth; any other end comes first and its work below it. */
function outcomeRows({ outcome, files, failed, refusals }: Receipt, messages: Messages): Row[] {
  const detail: Row = outcome.detail === undefined ? [] : [span(": "), ...exactLine(outcome.detail)];
  if (outcome.end !== "answered") {
    const failed = outcome.end === "model_failed" || outcome.end === "internal_error";
    const end = sentence(messages[`end.${outcome.end}`], failed ? "error" : "warn");
    return [
      [end, ...detail],
      ...(outcome.work.state === "none" ? [] : indented([[workSpan(outcome, messages)]])),
    ];
  }
  if (outcome.work.state !== "none") return [[workSpan(outcome, messages), ...detail]];
  if (outcome.unattended) return [[sentence(messages["outcome.unattended"], "warn"), ...detail]];
  if (failed.length > 0) return [[sentence(messages["outcome.failed"], "warn"), ...detail]];
  if (refusals.some(isProposed)) return [[sentence(messages["outcome.proposed"], "ok"), ...detail]];
  const nothing = files.length === 0;
  return [[sentence(messages[nothing ? "outcome.nothing_changed" : "outcome.answered"], "ok"), ...detail]];
}

function workSpan({ work }: TaskOutcome, messages: Messages): Span {
  switch (work.state) {
    case "verified":
      return sentence(messages["outcome.verified"], "ok");
    case "check_failed":
      return sentence(messages["outcome.check_failed"], "error");
    case "unverified":
      return sentence(messages[`unverified.${work.why}`], "warn");
    case "none":
      return sentence(messages["outcome.answered"], "ok");
  }
}

function sentence(text: string, style: "ok" | "warn" | "error"): Span {
  return span(`${{ ok: "✓", warn: "·", error: "✗" }[style]} ${text}`, style);
}

function fileRows({ files }: Receipt, messages: Messages): Row[] {
  if (files.length === 0) return [];
  const rows = files.map(({ path, change, added, removed }) => [
    ...exactLine(path, "bold"),
    span(` +${added}`, "added"),
    span(` -${removed}`, "removed"),
    span(` ${messages[`change.${change}`]}`),
  ]);
  return labelled(messages["label.files"], rows);
}

function checkRows(check: ReceiptCheck, messages: Messages): Row[] {
  const value: Row = [
    ...exactLine(check.label, "code"),
    span(" "),
    checkResultSpan(check.result, messages),
    span(`, ${messages.exit(check.exit)}`),
    span(` (${aboutCheck(check, messages)})`, "dim"),
  ];
  return [...labelled(messages["label.check"], [value]), ...indented(failingRows(check.failing, messages))];
}

function treeRows({ treeIsChecked }: Receipt, messages: Messages): Row[] {
  if (treeIsChecked === null) return [];
  const value = treeIsChecked ? span(messages["tree.checked"], "ok") : span(messages["tree.changed"], "warn");
  return labelled(messages["label.tree"], [[value]]);
}

function scopeRows({ scope }: Receipt, messages: Messages): Row[] {
  if (scope === null) return [];
  const outside = scope.outside.length > 0;
  return [
    ...labelled(messages["label.scope"], [
      [
        ...nameList(scope.files, messages),
        ...(outside ? [] : [span(` (${messages["scope.inside"]})`, "dim")]),
      ],
    ]),
    ...(outside
      ? labelled([span(messages["scope.outside"], "warn")], [nameList(scope.outside, messages)])
      : []),
  ];
}

/** Mode propose shows patches and makes none: nothing was refused. */
function isProposed({ kind, by }: Receipt["refusals"][number]): boolean {
  return kind === "patch" && by === "mode:propose";
}

function refusalRows({ refusals, failed }: Receipt, messages: Messages): Row[] {
  const refused = refusals.filter((refusal) => !isProposed(refusal));
  if (refused.length + failed.length === 0) return [];
  const rows = refused.map(({ kind, verdict, by }) => {
    const who = by === "user" ? messages["by.you"] : by;
    return exactLine(
      `${messages[`kind.${kind}`]} ${messages[`refused.${verdict}`]} ${messages["decision.by"](who)}`,
    );
  });
  const failures = failed.map((kind) => [span(`${messages[`kind.${kind}`]} ${messages["call.error"]}`)]);
  return labelled(messages["label.refused"], [joined([...rows, ...failures], ", ")]);
}

function claimRows({ overclaim }: Receipt, messages: Messages): Row[] {
  if (overclaim === null) return [];
  return labelled(messages["label.claim"], [
    [span(`${messages["claim.more"]} `, "warn"), ...exactLine(overclaim)],
  ]);
}

function gitRows({ git }: Receipt, messages: Messages): Row[] {
  if (git === null) return [];
  const names: Row = git.changed.length === 0 ? [] : [span(" "), ...nameList(git.changed, messages)];
  const changed = span(`, ${messages["git.changed"](git.changed.length)}`);
  return labelled(messages["label.git"], [[...exactLine(git.branch), changed, ...names]]);
}

/** The task's requests; where there were others before, the session's below it. */
function usageRows({ usage: { task, session } }: Receipt, messages: Messages): Row[] {
  const row = (label: string, totals: UsageTotals): Row[] =>
    totals.requests === 0 ? [] : labelled(label, [[span(usageText(totals, messages), "dim")]]);
  return [
    ...row(messages["label.tokens"], task),
    ...(session.requests > task.requests ? row(messages["label.tokens_session"], session) : []),
  ];
}

function closingRow({ steps, session, chainHead }: Receipt, messages: Messages): Row {
  const style: Style = "dim";
  const parts = [
    messages["receipt.steps"](steps),
    messages["receipt.session"](session),
    messages["receipt.record"](chainHead.slice(0, 12)),
  ];
  return joined(
    parts.map((part) => exactLine(part, style)),
    " · ",
  );
}
