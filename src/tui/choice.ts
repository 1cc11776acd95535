// What a session runs with; /model, /mode and /clear change it. Made by src/cli/interactive.ts.
import type { Permissions } from "../agent/permissions.ts";
import type { PermissionMode } from "../policy/rules.ts";
import type { Mode } from "../protocol/record.ts";

export interface Choice {
  profile: string;
  mode: Mode;
  guided: boolean;
  /** Beats the settings; the session's own from its first agent on. */
  permissions?: PermissionMode | undefined;
  /** What RUN always was given for in this session. */
  always?: Permissions["always"];
  /** The session to go on with; absent for a new one. */
  session?: string;
}
