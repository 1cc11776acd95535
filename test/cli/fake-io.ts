// A process for the commands to see: streams that are kept, a workspace and homes of its own. Used by the tests of src/cli/.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import type { Io } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";
import type { ScriptStep } from "../../src/model/script.ts";

export interface FakeIo {
  io: Io;
  workspace: string;
  sessions: string;
  config: string;
  stdout(): string;
  stderr(): string;
  /** Runs one prompt with a script of its own; `flags` come behind `-p go --profile scripted`. */
  print(steps: readonly ScriptStep[], ...flags: string[]): Promise<number>;
}

export function fakeIo(files: Record<string, string> = {}, settings: object = {}): FakeIo {
  const workspace = mkdtempSync(join(tmpdir(), "minicode-cli-"));
  const home = mkdtempSync(join(tmpdir(), "minicode-cli-home-"));
  const write = (path: string, content: string): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  for (const [path, content] of Object.entries(files)) write(join(workspace, path), content);
  write(join(home, "config", "minicode", "settings.json"), JSON.stringify(settings));
  const out = kept();
  const err = kept();
  const io: Io = {
    stdin: Object.assign(new PassThrough().end(), { fd: -1 }),
    stdout: out.stream,
    stderr: err.stream,
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_DATA_HOME: join(home, "data"),
      XDG_STATE_HOME: join(home, "state"),
    },
    cwd: () => workspace,
  };
  return {
    io,
    workspace,
    sessions: join(home, "data", "minicode", "sessions"),
    config: join(home, "config", "minicode"),
    stdout: out.text,
    stderr: err.text,
    print: (steps, ...flags) => {
      const script = write(join(home, "script.json"), JSON.stringify({ steps }));
      return run(["-p", "go", "--profile", "scripted", "--script", script, ...flags], io);
    },
  };
}

function kept() {
  const stream = new PassThrough();
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  return { stream, text: () => text };
}
