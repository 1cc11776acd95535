// Programs of tests run unconfined unless the test is about the sandbox: it may not be there.
import type { Surroundings } from "../../src/workspace/command.ts";

export const unconfined = { kind: "none", why: "it is switched off" } as const;

export function freely(env: Readonly<Record<string, string>>): Surroundings {
  return { env, sandbox: unconfined, confinement: unconfined };
}
