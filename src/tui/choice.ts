// What a session runs with; /model, /mode and /clear change it. Made by src/cli/interactive.ts.
import type { Mode } from "../protocol/record.ts";

export interface Choice {
  profile: string;
  mode: Mode;
  guided: boolean;
  /** The session to go on with; absent for a new one. */
  session?: string;
}
