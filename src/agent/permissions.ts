// What a session lets through without asking: its mode, the user's rules, and what RUN always was given for (design §5). One per
// agent; the mode can change while it lives. Asked through permit.ts.
import type { PermissionMode, Rule } from "../policy/rules.ts";

export interface Permissions {
  mode: PermissionMode;
  readonly rules: readonly Rule[];
  /** What RUN always was given for, by `alwaysKey`, with the number of its proposal. */
  readonly always: Map<string, number>;
  /** The model has read text that gives orders to agents: nothing above reading passes by itself any more (TH95). */
  tainted: boolean;
}

/** `always` is what the same session has let through before. */
export function createPermissions(
  mode: PermissionMode,
  rules: readonly Rule[],
  always: Permissions["always"] = new Map(),
): Permissions {
  return { mode, rules, always, tainted: false };
}
