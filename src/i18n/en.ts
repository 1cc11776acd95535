// The English catalogue: every word that the view says. Flat keys; what takes a value is a function. Used through messages.ts.

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

export const en = {
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
  "label.can": "can",
  "label.environment": "environment",
  "label.sandbox": "sandbox",
  "label.url": "address",
  "label.text": "text",
  "label.task": "task",
  "label.steps": "steps",
  "label.tool": "tool",
  "label.arguments": "arguments",
  "label.tree": "files now",
  "label.scope": "plan",
  "label.drift": "changed from outside",
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
  "command.environment": (n: number) => count(n, "variable"),
  "sandbox.none": "none: the program can do what you can",
  "sandbox.bubblewrap": "bubblewrap",
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
  "list.more": (n: number) => `and ${n} more`,

  // Receipt
  "outcome.answered": "Answered",
  "outcome.nothing_changed": "Answered, nothing changed",
  "outcome.unattended": "Answered, nothing changed: nobody was there to approve",
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
  "receipt.steps": (n: number) => count(n, "step"),
  "receipt.session": (id: string) => `session ${id}`,
  "receipt.record": (head: string) => `record ${head}`,

  // Said by the command line
  "cli.settled": (seq: number, outcome: string, detail: string) =>
    `After a crash: proposal #${seq} was settled as ${outcome}. ${detail}`.trimEnd(),
  "cli.offline": `No model is connected, so nothing was sent and nothing was done.
To connect one that speaks OpenAI's protocol:
  export MINICODE_OPENAI_BASE_URL=https://…/v1 MINICODE_OPENAI_MODEL=… MINICODE_OPENAI_API_KEY=…
  minicode -p "…" --profile openai-compatible
To see a whole job without one: minicode --demo --auto
`,
  "demo.prompt": "Customers complain about the fee, and tests fail. Please make it follow the README.",
  "demo.opening": (workspace: string, prompt: string) =>
    `A small broken project was copied to ${workspace}\n❯ ${prompt}\n\n`,
  "demo.closing": (workspace: string) => `
Nothing left this machine: the model was a script, the patches and the tests were real. Look at ${workspace}
and check the evidence with: minicode verify
To work with a model that speaks OpenAI's protocol, in your own repository:
  export MINICODE_OPENAI_BASE_URL=https://…/v1 MINICODE_OPENAI_MODEL=… MINICODE_OPENAI_API_KEY=…
  minicode -p "fix the failing test" --guided --mode edit --yes plan,apply,run --profile openai-compatible
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
  "mode.edit": "mode edit: every patch and command waits for your word",
  "mode.guided": "mode edit, guided: plan, patches and checks wait for your word",
  "tui.thinking": "thinking",
  "tui.running": (label: string) => `running ${label}`,
  "tui.working": (label: string, seconds: number) => `· ${label} ${seconds} s`,
  "tui.interrupt": "Esc interrupts",
  "tui.draft": "draft:",
  "tui.place": (place: string) => `lines ${place} · PageDown for more`,
  "tui.place.seen": (place: string, word: string) => `lines ${place} · Tab fills in ${word}`,
  "tui.inspector": "This task's calls",
  "tui.inspector.keys": "Up/Down choose · Enter opens · PageUp/PageDown · Esc closes",
  "tui.diff": "Patches of this session",
  "tui.diff.keys": "PageUp/PageDown · Esc closes",
  "tui.empty": "nothing yet",
  "tui.queued": (text: string) => `waiting: ${text.replaceAll("\n", " ")}`,
  "tui.tokens": (tokens: number) => `${tokens} tokens`,
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
  "tui.details.on": "Further calls are printed with their results. /details again stops it.",
  "tui.details.off": "Further calls are printed as one line.",
  "tui.details.more": (n: number) => `… ${count(n, "more line")}, in the inspector (Ctrl+O)`,
  "tui.status": (model: string, mode: string, workspace: string, session: string, tokens: number | null) =>
    `model      ${model}\nmode       ${mode}\nworkspace  ${workspace}\nsession    ${session}\ncontext    ${tokens === null ? "unknown" : `${tokens} tokens`}`,
  // One key a line, a tab before its meaning.
  "tui.keys": `Enter\tsends; during a task, with the next result
Alt+Enter\tsends after the task
Shift+Enter, Ctrl+J\ta new line
Up, when empty\tearlier messages
Esc\tinterrupts the task; at a panel clears the line
Ctrl+C\tcancels the task; twice at rest quits
Ctrl+D, when empty\tquits
Ctrl+O\tthis task's calls, whole
PageUp/PageDown, Up/Down\tscroll a panel
Tab\tfills in a panel's word, once all was seen`,
  "tui.no-model": "no model is connected: choose a profile with /model, or see minicode --help",
  "tui.welcome": `MiniCode shows its work: the model proposes, you see exactly what would happen and say the word.
No model is connected yet, and nothing goes online until you choose one.

  1  see the demo: a small broken project, mended with your words, offline
  2  set up a model
  3  quit`,
  "tui.setup": `Any server with OpenAI's chat completions will do, hosted or on this machine:
  export MINICODE_OPENAI_BASE_URL=https://…/v1 MINICODE_OPENAI_MODEL=… MINICODE_OPENAI_API_KEY=…
  minicode --profile openai-compatible --guided --mode edit
To make it the default, put {"profile": "openai-compatible"} into settings.json (README, Files).
`,
  "demo.after": `That was the whole job: plan, patch, a failing check, a repair, a passing check. Nothing left this machine.
To work with a model that speaks OpenAI's protocol, in your own repository:
  export MINICODE_OPENAI_BASE_URL=https://…/v1 MINICODE_OPENAI_MODEL=… MINICODE_OPENAI_API_KEY=…
  minicode --profile openai-compatible --guided --mode edit
/quit leaves; minicode verify then walks the evidence.`,
};
