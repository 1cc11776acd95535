// The English catalogue: every word that the view says. Flat keys; what takes a value is a function. Used through messages.ts.

import { enSetup } from "./en-setup.ts";

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

export const en = {
  ...enSetup,

  // Titles of the panels
  "panel.plan": "Plan",
  "panel.patch": "Patch",
  "panel.command": "Command",
  "panel.check": "Check",
  "panel.baseline": "Check before any change",
  "panel.rounds": "Repairs used up",
  "panel.fetch": "Fetch",
  "panel.remember": "Remember",
  "panel.forget": "Forget",
  "panel.delegate": "Delegate",
  "panel.read": "Read",

  "panel.warnings": "read before this, and it gives orders to agents",
  "panel.always": "passes this very command until a file it depends on, as listed, changes, or MiniCode ends",
  "panel.always-not": "not offered for what destroys, reaches the network, writes git, or cannot be read",
  "label.always": "RUN always",

  "tui.instructions": (source: string, length: number, cut: number) =>
    `${source} goes to the model: ${length.toLocaleString("en")} characters${cut > 0 ? `, ${cut.toLocaleString("en")} more are cut off` : ""}`,
  "trust.title": "MiniCode does not know this folder yet:",
  "trust.about": `
If you trust it, its test scripts count and its AGENTS.md goes to the model.
Nothing is changed or run without your word either way.

  t  trust this folder and those below it, from now on
  r  only look at it this time: nothing is changed or run
  q  quit
`,
  "trust.read-only": "This folder is not trusted, so this session only reads.",
  "trust.needed": (folder: string) => `${folder} is not trusted, so nothing can be changed or run in it`,
  "trust.how": "Start minicode in it and press t, or name --mode edit with -p for one run.",
  "fact.fetched": (status: number, bytes: number) => `status ${status}, ${bytes.toLocaleString("en")} bytes`,
  "question.title": "The model asks",
  "question.choose": "Type a number or your own answer; CANCEL or Esc gives none",
  "question.type": "Type your answer; CANCEL or Esc gives none",
  "question.none": "(no answer)",
  "tui.state.asked": "waiting for your answer",

  // Under a panel
  "gate.plan": (word: string) =>
    `Type ${word} to go ahead, CANCEL to end the task, or CANCEL followed by what to change`,
  "gate.patch": (word: string) =>
    `Type ${word} to apply it, CANCEL to refuse, or CANCEL followed by a reason`,
  "gate.memory": (word: string) => `Type ${word} to do it, CANCEL to refuse, or CANCEL followed by a reason`,
  "gate.command": (word: string) =>
    `Type ${word} to run it, CANCEL to refuse, or CANCEL followed by a reason`,
  "gate.check": (word: string) =>
    `Type ${word} to run it, CANCEL to leave it for now, or CANCEL followed by a reason`,
  "gate.rounds": (word: string) =>
    `Type ${word} for one more repair, CANCEL to stop here, or CANCEL followed by a last hint to the model`,
  "gate.fetch": (word: string) =>
    `Type ${word} to fetch it, CANCEL to refuse, or CANCEL followed by a reason`,
  "gate.delegate": (word: string) =>
    `Type ${word} to start it, CANCEL to refuse, or CANCEL followed by a reason`,
  "gate.read": (word: string) => `Type ${word} to allow it, CANCEL to refuse, or CANCEL followed by a reason`,
  "gate.reminder": (word: string) => `Not sent: this waits for ${word} or CANCEL, in capitals`,

  // Labels in panels and receipt
  "label.why": "why",
  "label.files": "files",
  "label.check": "check",
  "label.note": "note",
  "label.failing": "failing",
  "label.run": (i: number, of: number) => (of === 1 ? "run" : `run ${i} of ${of}`),
  "label.in": "in",
  "label.program": "program",
  "label.scripts": "scripts",
  "label.inputs": "depends on",
  "label.limit": "time limit",
  "label.shell": "command line",
  "label.shell_text": "as it is written",
  "label.environment": "environment",
  "label.sandbox": "sandbox",
  "label.host": "host",
  "label.url": "address",
  "label.text": "text",
  "label.task": "task",
  "label.steps": "steps",
  "label.tool": "tool",
  "label.arguments": "arguments",
  "label.tree": "files now",
  "label.scope": "plan",
  "label.drift": "changed from outside",
  "label.fetched": "fetched from",
  "label.refused": "not done",
  "label.claim": "claim",
  "label.git": "git",

  // Untrusted text
  "text.padding": (n: number, kind: "space" | "newline" | "tab") => count(n, kind),
  "text.empty_lines": (n: number) => `(${count(n, "empty line")})`,

  // Plan panel
  "plan.from_step": "The model wrote no plan; this is its first step.",
  "plan.check_chosen": "(chosen by the model)",
  "plan.check_none": "none, this will end unverified",
  "plan.added": "(new in the plan)",
  "plan.dropped": "(no longer in the plan)",

  // Patch panel
  "patch.total": (files: number, added: number, removed: number) =>
    `${count(files, "file")}, +${added} -${removed}`,
  "patch.create": "create",
  "patch.edit": "edit",
  "patch.delete": "delete",
  "patch.rename": "rename from ",
  "patch.mode": (mode: string) => `mode ${mode}`,
  "patch.same_content": "content unchanged",
  "patch.no_lines": (before: number, after: number) =>
    `no lines to show: ${before} bytes before, ${after} after`,
  "patch.outside": "outside the plan",
  "repair.title": (round: number, of: number) => `repair ${round} of ${of}`,

  "rounds.used": (used: number) => `The check still fails after ${count(used, "repair")}.`,

  // Command panel
  "command.root": "(the workspace itself)",
  "command.limit": (ms: number) => {
    const seconds = Math.round(ms / 1000);
    const parts = [
      Math.floor(seconds / 60) > 0 ? `${Math.floor(seconds / 60)} min` : "",
      seconds % 60 > 0 ? `${seconds % 60} s` : "",
    ];
    return ms < 1000 ? `${ms} ms` : parts.filter((part) => part !== "").join(" ");
  },
  "command.shell_text": "(the command line)",
  "command.environment": (n: number) => count(n, "variable"),
  "sandbox.none": (why: string) =>
    `none, ${why}: the program can do what you can, and read this process's environment`,
  "sandbox.required": (why: string) =>
    `commands must be confined (--sandbox require), and there is no sandbox: ${why}`,
  "sandbox.how": "Install bubblewrap (apt install bubblewrap), or take --sandbox auto.",
  "sandbox.bubblewrap": (network: boolean, git: boolean) =>
    `only the workspace can be written${git ? ", its git files too" : ", its git files not"}; ${network ? "with network" : "no network"}; the home folder's keys are hidden`,
  "trait.reads": "read files",
  "trait.writes": "change files",
  "trait.git-write": "change git's state",
  "trait.network": "use the network",
  "trait.runs-project-code": "run this project's code",
  "trait.destructive": "destroy work",
  "trait.opaque": "do what cannot be seen from here",

  // Checks
  "origin.settings": "from your settings",
  "origin.manifest": "from the project",
  "origin.plan": "named in the approved plan",
  "origin.call": "chosen by the model",
  "check.baseline": "before any change",
  "check.passed": "passed",
  "check.failed": "failed",
  "check.could_not_run": "could not run",
  "check.timed_out": "ran out of time",
  "check.cancelled": "cancelled",
  exit: (code: number | null) => (code === null ? "no exit code" : `exit code ${code}`),
  signal: (name: string) => `ended by ${name}`,
  seconds: (ms: number) => `${(ms / 1000).toFixed(1)} s`,

  // Progress
  "call.ok": "ok",
  "call.error": "error",
  "call.invalid": "invalid",
  "call.unknown": "unknown tool",
  "call.denied": "denied",
  "call.rejected": "rejected",
  "call.blocked": "blocked",
  "call.cancelled": "cancelled",
  "call.skipped": "skipped",
  "call.timeout": "ran out of time",
  "decision.by": (by: string) => `by ${by}`,
  "decision.deny": "denied",
  "decision.cancel": "task cancelled at",
  "kind.plan": "plan",
  "kind.patch": "patch",
  "kind.command": "command",
  "kind.rounds": "one more repair",
  "kind.fetch": "fetch",
  "kind.memory": "memory",
  "kind.delegate": "delegate",
  "kind.read": "read",
  "drift.command": "the command changed",
  "drift.other": "changed from outside",
  "retracted.calls": "draft not used: tool calls came with it",
  "retracted.check": "draft not used: the check did not pass",
  "retracted.cancelled": "draft not used: cancelled",
  "retracted.failed": "draft not used: the model failed",
  "retry.wait": (seconds: number, request: number, of: number) =>
    `retrying in ${seconds} s (${request} of ${of})`,
  "list.more": (n: number) => `and ${n} more`,

  // Receipt
  "outcome.answered": "Answered",
  "outcome.nothing_changed": "Answered, nothing changed",
  "outcome.failed": "Answered, but what was approved could not be done",
  "outcome.proposed": "Proposed: the patch is shown and not applied",
  "outcome.unattended":
    "Answered, nothing changed: nobody was there to approve (--yes plan,apply,run approves beforehand)",
  "outcome.verified": "Verified: the required check passed on these files",
  "outcome.check_failed": "Check failed: the changes are in place, the required check does not pass",
  "unverified.no_check": "Unverified: there is no check for this change",
  "unverified.check_refused": "Unverified: the check was not allowed to run",
  "unverified.could_not_run": "Unverified: the check could not run",
  "unverified.timed_out": "Unverified: the check ran out of time",
  "unverified.cancelled": "Unverified: the check was cancelled",
  "unverified.failing_before": "Unverified: what fails now failed before the change too",
  "unverified.check_changes_files": "Unverified: the check itself changes files",
  "unverified.not_offered": "Unverified: the task ended before the check could be offered",
  "end.rejected": "Not approved",
  "end.cancelled": "Cancelled",
  "end.budget": "Stopped by a limit",
  "end.model_failed": "The model failed",
  "end.internal_error": "MiniCode itself failed",
  "change.created": "created",
  "change.edited": "edited",
  "change.deleted": "deleted",
  "tree.checked": "the same that the check passed on",
  "tree.changed": "changed since the check passed",
  "scope.inside": "every change is inside it",
  "scope.outside": "outside the plan",
  "refused.reject": "refused",
  "refused.deny": "denied",
  "refused.cancel": "cancelled",
  "by.you": "you",
  "claim.more": "the answer says more than the record holds:",
  "git.changed": (n: number) => (n === 0 ? "nothing changed" : `${n} changed:`),
  "label.tokens": "tokens",
  "label.tokens_session": "tokens of the whole session",
  "usage.in": (n: string, cached: string) => `${n} in${cached},`,
  "usage.cached": (percent: number) => ` (${percent} % cached)`,
  "usage.out": (n: string, thinking: string) => `${n} out${thinking}`,
  "usage.thinking": (n: string) => ` (${n} thinking)`,
  "usage.none": "none yet",
  "usage.unknown": "unknown",
  "usage.short_unknown": "tokens unknown",
  "usage.at_least": "at least",
  "usage.uncounted": (n: number, of: number) => `(${n} of ${count(of, "request")} gave no counts)`,
  "usage.cost": (amount: string) => `cost ${amount}`,
  "usage.cost_unknown": "cost unknown",
  "usage.context": (part: string) => `context ${part}`,
  "usage.context_tokens": (used: string) => `${used} tokens`,
  "usage.context_of": (used: string, of: string, part: string) => `${used} of ${of} tokens (${part})`,
  "receipt.steps": (n: number) => count(n, "step"),
  "receipt.session": (id: string) => `session ${id}`,
  "receipt.record": (head: string) => `record ${head}`,

  // Said by the command line
  "cli.settled": (seq: number, outcome: string, detail: string) =>
    `After a crash: proposal #${seq} was settled as ${outcome}. ${detail}`.trimEnd(),
  "cli.offline": `No model is connected, so nothing was sent and nothing was done.
To set one up, with a few questions: minicode setup
To see a whole job without one: minicode --demo --auto
`,
  "script.made": (steps: number, bytes: number) =>
    `${count(steps, "answer")}, ${bytes.toLocaleString("en-US")} bytes.`,
  "script.nothing_redacted": "Nothing in it looks like a secret. Look through it before you send it.",
  "script.redacted": (placeholder: string, places: number) => `${placeholder} in ${count(places, "place")}.`,
  "script.redacted_calls": (placeholders: string) =>
    `Calls name ${placeholders}: put the same into the copy of the workspace, in place of what was redacted.`,
  "script.look": "Only what looks like a secret was redacted. Look through it before you send it.",
  "script.play": "To play it, in a copy of the workspace as it was:",
  "script.type": "and type there:",
  "demo.prompt": "Customers complain about the fee, and tests fail. Please make it follow the README.",
  "demo.opening": (workspace: string, prompt: string) =>
    `A small broken project was copied to ${workspace}\n❯ ${prompt}\n\n`,
  "demo.closing": (workspace: string) => `
Nothing left this machine: the model was a script, the patches and the tests were real. Look at ${workspace}
and check the evidence with: minicode verify
To work with a model, in your own repository:
  minicode setup
  minicode -p "fix the failing test" --guided --mode edit --yes plan,apply,run
`,

  // Said by the terminal UI
  "call.running": "running",
  "tui.narrow": "too narrow",
  "tui.low": "The window is too low to show the panel.",
  "tui.name": (version: string) => `MiniCode ${version}`,
  "tui.same": (seq: number) => `the same as #${seq}`,
  "tui.first": "/help lists commands and keys",
  "mode.read": "mode read: it can look, and change nothing",
  "mode.propose": "mode propose: it shows patches and writes none",
  "mode.edit": "mode edit: it changes files and runs commands as your permissions say",
  "mode.guided": "mode edit, guided: plan, patches and checks wait for your word",
  "tui.thinking": "thinking",
  "tui.running": (label: string) => `running ${label}`,
  "tui.working": (label: string, seconds: number) => `· ${label} ${seconds} s`,
  "tui.interrupt": "Esc interrupts",
  "tui.stop": "Esc stops",
  "tui.draft": "draft:",
  "tui.place": (place: string) => `lines ${place} · PageDown for more`,
  "tui.place.seen": (place: string, word: string) => `lines ${place} · Tab fills in ${word}`,
  "tui.inspector": "This task's calls",
  "tui.inspector.keys": "Up/Down choose · Enter opens · PageUp/PageDown · Esc closes",
  "tui.diff": "Patches of this session",
  "tui.diff.keys": "PageUp/PageDown · Esc closes",
  "tui.empty": "nothing yet",
  "tui.queued": (text: string) => `waiting: ${text.replaceAll("\n", " ")}`,
  "tui.state.ready": "ready",
  "tui.state.working": "working",
  "tui.state.waiting": (word: string) => `waiting for ${word}`,
  "tui.state.stopping": "stopping",
  "tui.stray": (word: string) => `Nothing is waiting for ${word}; it was not sent.`,
  "tui.tab-later": "Tab fills in the word once every line has been on the screen.",
  "tui.busy": "A task is running; Esc interrupts it first.",
  "tui.quit-again": "Ctrl+C again to quit",
  "tui.unknown": (text: string, near: string) =>
    `Unknown command ${text}.${near === "" ? "" : ` Did you mean ${near}?`} /help lists them. A message may begin with a blank, then "/".`,
  "tui.misused": (usage: string, help: string) => `The command is ${usage} (${help}).`,
  "tui.mode.now": (mode: string) =>
    `${mode}. /mode read, propose, edit or guided changes it within the same conversation.`,
  "tui.details.on": "Further calls are printed with their results. /details again stops it.",
  "tui.details.off": "Further calls are printed as one line.",
  "tui.details.more": (n: number) => `… ${count(n, "more line")}, in the inspector (Ctrl+O)`,
  "tui.permissions.ask": "Permissions: ask. Every read, patch and command waits for your word.",
  "tui.permissions.auto-read":
    "Permissions: auto-read. Reads pass; every patch and every other command waits for your word.",
  "tui.permissions.trusted":
    "Permissions: trusted. What is fully understood and stays in the workspace passes; network, git, destructive and unreadable commands wait for your word.",
  "tui.permissions.guided": "Guided work asks for everything; only your deny rules count.",
  "tui.sandbox.bubblewrap": "sandboxed",
  "tui.sandbox.none": "no sandbox",
  "tui.status": (
    model: string,
    mode: string,
    workspace: string,
    session: string,
    context: string,
    usage: string,
    sandbox: string,
  ) =>
    `model      ${model}\nmode       ${mode}\nworkspace  ${workspace}\nsession    ${session}\ncontext    ${context}\ntokens     ${usage}\nsandbox    ${sandbox}`,
  // One key a line, a tab before its meaning.
  "tui.keys": `Enter\tsends; during a task, with the next result
Alt+Enter\tsends after the task
Shift+Enter, Ctrl+J\ta new line
Up, when empty\tearlier messages
Esc\tinterrupts the task; at a panel clears the line
Ctrl+C\tcancels the task; twice at rest quits
Ctrl+D, when empty\tquits
Ctrl+O\tthis task's calls, whole
Shift+Tab\twhat free work lets through
PageUp/PageDown, Up/Down\tscroll a panel
Tab\tfills in a panel's word, once all was seen`,
  "tui.tab-never": (word: string) => `This destroys something: type ${word} yourself.`,
  "tui.model.ready": "ready",
  "tui.model.how":
    "/model ID goes on with that one; /model setup sets one up. A variable exported now counts from the next start.",
  "tui.model.restart": (id: string) =>
    `What you export counts from the next start: /quit, export it, then minicode --profile ${id} --continue.`,
  "tui.model.same": (id: string) => `${id} is already in use.`,
  "tui.unchanged": (model: string) => `Nothing was changed: ${model} goes on.`,
  "tui.leaves": (host: string, workspace: string) =>
    `Leaves this machine for ${host}: what you write, what the model reads in ${workspace}, and the output of commands.`,
  "tui.state.setup": "set-up",
  "tui.menu.how": (keys: readonly string[]) => `Press one of ${keys.join(", ")}.`,
  "tui.no-model": "no model is connected: choose a profile with /model, or run minicode setup",
  "tui.welcome": `MiniCode shows its work: the model proposes, you see exactly what
would happen and say the word.
No model is connected yet, and nothing goes online until you choose one.

  1  see the demo: a small broken project, mended with your words, offline
  2  set up a model
  3  quit`,
  "demo.left":
    "The demo's model is a script that knows one way only: CONTINUE, APPLY, RUN, APPLY, RUN. minicode --demo begins again.",
  "demo.after": `That was the whole job: plan, patch, a failing check, a repair, a passing check. Nothing left this machine.
To work with a model, in your own repository:
  minicode setup
  minicode --guided --mode edit
/quit leaves; minicode verify then walks the evidence.`,
};
