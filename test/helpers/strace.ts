// Runs a bundled program under strace with a fault injected into its system calls. Used by the tests of what survives one.
import { spawnSync } from "node:child_process";

/**
 * The program's end under `strace -e inject=<fault>`, with one pool thread, so that the n-th system call is always the same.
 * `killed` is false when the fault came too late to meet it.
 */
export function runWithFault(
  program: readonly string[],
  fault: string,
): { status: number | null; killed: boolean; stdout: string } {
  // No --seccomp-bpf: with it strace 6.1 ignores `when=` for signals.
  const options = [
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    `trace=${fault.split(":")[0]}`,
    "-e",
    `inject=${fault}`,
  ];
  const { status, signal, stdout } = spawnSync("strace", [...options, process.execPath, ...program], {
    encoding: "utf8",
    env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { status, killed: signal === "SIGKILL", stdout };
}
