// `--demo --auto`: a small broken project, mended before the user's eyes by the scripted model. Its tests really run.
import { execFile } from "node:child_process";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Gate } from "../agent/gate.ts";
import { chooseProfile, openAgent } from "../app.ts";
import { packageRoot } from "../config/package-root.ts";
import { en } from "../i18n/en.ts";
import { safeText } from "../policy/safe-text.ts";
import type { TaskOutcome } from "../protocol/outcome.ts";
import { rowsToText } from "../view/plain.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { type Flags, usage } from "./flags.ts";
import { type Io, wantsColor, write } from "./io.ts";
import { loadTerminalUi } from "./load-tui.ts";
import { createRowsOf } from "./report.ts";
import { withInterrupt } from "./signals.ts";

export async function demo(flags: Flags, io: Io, version: string): Promise<number> {
  if (!flags.auto) return byHand(flags, io, version);
  const workspace = await prepareProject();
  const chosen = await chooseProfile({ profile: "scripted", script: scriptPath() }, io.env);
  const rowsOf = createRowsOf();
  const color = wantsColor(io.stdout, io.env);
  let shown = Promise.resolve();
  const show = (text: string): void => {
    shown = shown.then(() => write(io.stdout, text));
  };
  const prompt = en["demo.prompt"];
  show(en["demo.opening"](workspace, prompt));
  const agent = await openAgent({
    workspace,
    mode: "edit",
    guided: true,
    trusted: true,
    chosen,
    session: { kind: "new" },
    gate: autoGate,
    emit: (event) => {
      if (event.type === "answer") show(`\n${safeText(event.text).trimEnd()}\n`);
      const rows = rowsOf(event);
      if (rows.length > 0) show(`${rowsToText(rows, { color })}\n`);
    },
    env: io.env,
    version,
  });
  try {
    const outcome = await withInterrupt((signal) => agent.run(prompt, signal));
    show(en["demo.closing"](workspace));
    await shown;
    return exitCodeOf(outcome);
  } finally {
    await agent.close();
  }
}

/** The same job in the terminal UI: the user types the real words. */
async function byHand(flags: Flags, io: Io, version: string): Promise<number> {
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw usage(
      "--demo by hand needs a terminal",
      "minicode --demo --auto gives the words CONTINUE, APPLY and RUN for you.",
    );
  }
  const options = {
    workspace: await prepareProject(),
    choice: { profile: "scripted", mode: "edit" as const, guided: true },
    session: { kind: "new" as const },
    trusted: true,
    script: scriptPath(),
    suggestion: en["demo.prompt"],
    afterTask: (outcome: TaskOutcome | null) =>
      en[outcome?.work.state === "verified" ? "demo.after" : "demo.left"],
  };
  const { interactive } = await loadTerminalUi();
  return interactive(options, flags, io, version);
}

function scriptPath(): string {
  return join(packageRoot(), "demo", "script.json");
}

const autoGate: Gate = { ask: async () => ({ verdict: "approve", by: "flag:auto" }) };

/** Copies the project and gives it a repository of its own, untouched by the user's git configuration. */
async function prepareProject(): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), "minicode-demo-"));
  await cp(join(packageRoot(), "demo", "project"), workspace, { recursive: true });
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "MiniCode demo",
    GIT_AUTHOR_EMAIL: "demo@example.invalid",
    GIT_COMMITTER_NAME: "MiniCode demo",
    GIT_COMMITTER_EMAIL: "demo@example.invalid",
  };
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "."],
    ["commit", "-q", "-m", "Car park fees"],
  ]) {
    await promisify(execFile)("git", args, { cwd: workspace, env });
  }
  return workspace;
}
