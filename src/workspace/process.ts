// Runs one program to its end, or ends it, with everything it started (D5). Used by command.ts; git and ripgrep are run by exec.ts.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../util/errors.ts";
import { liveText, type OutputBuffer, outputBuffer, wholeCharacters } from "./output.ts";
import { processTree, tagName } from "./process-tree.ts";
import { startWatchdog } from "./watchdog.ts";

export interface ProcessOptions {
  /** Absolute path of the program; it is executed as it is, without a shell. */
  program: string;
  args: readonly string[];
  /** What the program is told it was called as; `program` by default. */
  argv0?: string;
  /** Absolute folder, also one through an open descriptor. */
  cwd: string;
  /** The whole environment; only `MINICODE_TAG` is added. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  signal: AbortSignal;
  /** `program` is a sandbox's, which keeps a process of its own as long as anything in it runs. */
  confined?: boolean;
  /** Texts that the program finds at descriptors 3, 4, … */
  inputs?: readonly string[];
  /** Output for a live view, in whole characters, some twenty times a second; a flood is thinned out. Must not throw. */
  onOutput?(text: string): void;
}

export interface ProcessEnd {
  /** Null when a signal ended it, or when it never ran. */
  exit: number | null;
  signal: string | null;
  ms: number;
  timedOut: boolean;
  cancelled: boolean;
  /** stdout and stderr as they came, whole up to 8 MiB; past that start and end, with a line that says what is missing. */
  output: Buffer;
  /** Bytes the program wrote, kept or not. */
  outputBytes: number;
  /** Processes that were still running when the program had ended by itself; they were ended. */
  leftBehind: number;
  /** Why it could not be started; the other fields then tell nothing. */
  spawnError?: string;
}

/** How long after the program's end its output may still be held open by others. */
const graceMs = 250;

/** Never rejects. Resolves when the program and what it started are gone. Its standard input is empty. */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const started = performance.now();
  const kept = outputBuffer();

  function result(end: Partial<ProcessEnd>): ProcessEnd {
    return {
      exit: null,
      signal: null,
      ms: Math.round(performance.now() - started),
      timedOut: false,
      cancelled: false,
      output: kept.bytes(),
      outputBytes: kept.total,
      leftBehind: 0,
      ...end,
    };
  }

  if (options.signal.aborted) return result({ cancelled: true });
  const tag = randomBytes(16).toString("hex");
  const watchdog = startWatchdog(tag);
  const stop = stopSignal(options.timeoutMs, options.signal);
  try {
    const child = start(options, tag);
    const exited = exitOf(child);
    if (child.pid === undefined) return result(await exited);
    watchdog.guard(child.pid);
    const tree = processTree(child.pid, tag);
    const output = collect(child, kept, options.onOutput);
    const first = await Promise.race([exited, stop.happened]);
    if (typeof first === "string") {
      await tree.end();
      const last = await within(graceMs, exited);
      await output.end();
      return result({ ...last, timedOut: first === "timeout", cancelled: first === "cancel" });
    }
    await within(graceMs, output.drained);
    const survivors = tree.survivors().length;
    if (survivors > 0) await tree.end();
    // In a sandbox those count that still have our tag; what else there was, its first process waited for.
    const others = options.confined === true ? Math.max(1, survivors - 1) : survivors;
    const leftBehind = survivors === 0 ? 0 : others;
    await output.end();
    return result({ ...first, leftBehind });
  } catch (error) {
    return result({ spawnError: messageOf(error) });
  } finally {
    stop.forget();
    watchdog.dismiss();
  }
}

function start(options: ProcessOptions, tag: string): ChildProcess {
  const inputs = options.inputs ?? [];
  const child = spawn(options.program, [...options.args], {
    argv0: options.argv0 ?? options.program,
    cwd: options.cwd,
    env: { ...options.env, [tagName]: tag },
    stdio: ["ignore", "pipe", "pipe", ...inputs.map(() => "pipe" as const)],
    // Its own session: a group to signal, and no terminal to read keys from. On Windows it would mean a new window.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  for (const [at, text] of inputs.entries()) {
    const input = child.stdio[3 + at];
    // Whoever does not want it may close it.
    input?.on("error", () => {});
    if (input instanceof Writable) input.end(text);
  }
  return child;
}

function exitOf(child: ChildProcess): Promise<Pick<ProcessEnd, "exit" | "signal" | "spawnError">> {
  return new Promise((resolve) => {
    child.once("exit", (exit, signal) => resolve({ exit, signal }));
    child.once("error", (error) => resolve({ exit: null, signal: null, spawnError: error.message }));
  });
}

function stopSignal(timeoutMs: number, signal: AbortSignal) {
  let forget = () => {};
  const happened = new Promise<"timeout" | "cancel">((resolve) => {
    const timer = setTimeout(() => resolve("timeout"), timeoutMs);
    const cancel = () => resolve("cancel");
    signal.addEventListener("abort", cancel);
    forget = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    };
  });
  return { happened, forget: () => forget() };
}

function collect(child: ChildProcess, kept: OutputBuffer, onOutput: ProcessOptions["onOutput"]) {
  const live = onOutput === undefined ? null : liveText(onOutput);
  function keep(bytes: Buffer): void {
    kept.push(bytes);
    live?.push(bytes);
  }
  const sources = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const weaves = sources.map((stream) => {
    const characters = wholeCharacters();
    stream.on("data", (chunk: Buffer) => keep(characters.push(chunk)));
    stream.on("error", () => {});
    return characters;
  });
  const drained = Promise.all(
    sources.map((stream) => new Promise<void>((resolve) => stream.once("close", resolve))),
  );

  /** Takes what still comes in the time of grace, then lets go of the pipes, whoever else may hold them. */
  async function end(): Promise<void> {
    await within(graceMs, drained);
    for (const stream of sources) stream.destroy();
    for (const characters of weaves) keep(characters.end());
    live?.end();
  }

  return { drained, end };
}

/** The promise's value, or undefined when it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([promise, delay(ms, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
