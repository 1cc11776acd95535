// An attacker in a process of its own that puts links to the outside in the place of a folder and of a file, and back, as fast as
// it can. Used by the race tests and the fuzz target of the path gate.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Swaps `d`, then the file `g/f`. Holds out when MiniCode makes a folder `d` in the instant when there is none. */
const attack = `
  const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
  const [, ws, outside] = process.argv;
  const attempt = (step) => { try { step(); return true; } catch { return false; } };
  process.chdir(ws);
  process.stdout.write("swapping\\n");
  for (let n = 0; ; n++) {
    attempt(() => renameSync("d", "d.real"));
    if (!attempt(() => symlinkSync(outside, "d"))) attempt(() => renameSync("d", "made-" + n));
    attempt(() => unlinkSync("d"));
    attempt(() => renameSync("d.real", "d"));
    attempt(() => renameSync("g/f", "g/f.real"));
    attempt(() => symlinkSync(outside + "/f", "g/f"));
    attempt(() => renameSync("g/f.real", "g/f"));
  }`;

export interface Swapper {
  /** Whether it is still at it. */
  running(): boolean;
  stop(): Promise<void>;
}

/** Begins once the swapping has. The workspace has the folder `d` and may have the file `g/f`; `outside` has a file `f`. */
export async function startSwapper(ws: string, outside: string): Promise<Swapper> {
  const child = spawn(process.execPath, ["-e", attack, ws, outside], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  return {
    running: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
