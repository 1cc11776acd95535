// Ends a running program's processes when MiniCode itself is killed, kill -9 included (TH74). Used by process.ts.
import { spawn } from "node:child_process";
import { tagName } from "./process-tree.ts";

/**
 * Waits on a pipe that only MiniCode holds. When it breaks, first the group is killed, then whatever else carries the tag,
 * twice for what was just being forked.
 */
const script = `
read -r group
read -r nothing
[ -n "$group" ] && kill -KILL -- "-$group"
for round in 1 2; do
  grep -lsaF -- "$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do kill -KILL "$pid"; done
done`;

interface Watchdog {
  /** Names the group to end; before this only the tag is looked for. */
  guard(group: number): void;
  dismiss(): void;
}

/** To be started before the program is. On Windows, and where there is no /bin/sh, it does nothing. */
export function startWatchdog(tag: string): Watchdog {
  if (process.platform === "win32") return { guard() {}, dismiss() {} };
  const child = spawn("/bin/sh", ["-c", script, "minicode-watchdog", `${tagName}=${tag}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
  });
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  return {
    guard: (group) => void child.stdin?.write(`${group}\n`),
    dismiss() {
      child.kill("SIGKILL");
      child.stdin?.destroy();
    },
  };
}
