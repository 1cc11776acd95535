// Ctrl+C and SIGTERM cancel the running task; it then ends in order, with its outcome recorded.

/** Runs `work` with a signal that aborts on SIGINT or SIGTERM; a second one ends the process at once. */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = (name: NodeJS.Signals): void => {
    if (cancel.signal.aborted) process.exit(name === "SIGINT" ? 130 : 143);
    cancel.abort();
  };
  for (const name of names) process.on(name, stop);
  try {
    return await work(cancel.signal);
  } finally {
    for (const name of names) process.off(name, stop);
  }
}
