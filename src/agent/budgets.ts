// How long a task may go on: steps, and wall time that stands still while a gate waits (design §4).

export interface Budgets {
  readonly maxSteps: number;
  /** Aborts when the wall time is used up. */
  readonly signal: AbortSignal;
  /** Runs `wait` with the clock stopped. */
  whileStopped<T>(wait: () => Promise<T>): Promise<T>;
  /** Frees the timer; call once, at the end of the task. */
  end(): void;
}

/** More than 24 days would make a timer fire at once. */
const LONGEST = 2 ** 31 - 1;

/** `timeoutMs` absent means no limit of time. `now` is a monotonic clock in milliseconds. */
export function startBudgets(
  limits: { maxSteps: number; timeoutMs?: number },
  now: () => number = () => performance.now(),
): Budgets {
  const { maxSteps, timeoutMs } = limits;
  const spent = new AbortController();
  let left = timeoutMs ?? 0;
  let since = now();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    if (timeoutMs === undefined) return;
    since = now();
    timer = setTimeout(() => spent.abort(), Math.min(Math.max(0, left), LONGEST));
  };
  const stop = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= now() - since;
  };
  start();
  return {
    maxSteps,
    signal: spent.signal,
    whileStopped: async (wait) => {
      stop();
      try {
        return await wait();
      } finally {
        start();
      }
    },
    end: stop,
  };
}
