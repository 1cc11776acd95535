// Nobody there to be asked is a no, and the exit code says so.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { fakeIo } from "../cli/fake-io.ts";

const steps = [
  {
    calls: [{ name: "apply_patch", arguments: { changes: [{ path: "new", content: "x\n" }], reason: "r" } }],
  },
  { calls: [{ name: "run_command", arguments: { argv: ["touch", "PWNED"], reason: "r" } }] },
  { text: "Done." },
];

describe("TH62 no terminal", () => {
  it.each([{}, { CI: "true" }, { CI: "true", GITHUB_ACTIONS: "true", TERM: "dumb" }])(
    "with %j what needs a word is denied",
    async (env) => {
      const f = fakeIo();
      Object.assign(f.io.env, env);
      const code = await f.print(steps, "--mode", "edit");
      expect(code).not.toBe(exitCodes.done);
      expect(existsSync(join(f.workspace, "new"))).toBe(false);
      expect(existsSync(join(f.workspace, "PWNED"))).toBe(false);
    },
  );

  it("words given in advance are for what they name only", async () => {
    const f = fakeIo();
    expect(await f.print(steps, "--mode", "edit", "--yes", "apply")).not.toBe(exitCodes.done);
    expect(existsSync(join(f.workspace, "new"))).toBe(true);
    expect(existsSync(join(f.workspace, "PWNED"))).toBe(false);
  });
});
