// What a fuzz target is. Used by the targets in this folder and by what runs them.

export interface FuzzTarget {
  name: string;
  /** Tries `runs` inputs that follow from `seed` alone. `failures` are worded for a person; none is right. */
  run(
    runs: number,
    seed: number,
  ): Promise<{ runs: number; failures: string[]; figures: Record<string, number> }>;
}
