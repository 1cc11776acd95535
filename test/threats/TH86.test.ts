// What an .npmrc would put in the shell's place is taken back; the file is bound to the approval by its content.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { npmTest } from "./npm.ts";

describe("TH86 script-shell in .npmrc", { timeout: 60_000 }, () => {
  it.each(["./sh.evil", "sh.evil", "$" + "{PWD}/sh.evil"])("%s is not started", async (shell) => {
    const { t, command, panel } = await npmTest(
      {
        "package.json": '{"scripts":{"pretest":"true","test":"true","posttest":"true"}}',
        ".npmrc": `script-shell=${shell}\n`,
        "sh.evil": '#!/bin/sh\ntouch PWNED\nexec /bin/sh "$@"\n',
      },
      ({ root }) => chmodSync(join(root, "sh.evil"), 0o755),
    );
    expect(existsSync(join(t.root, "PWNED"))).toBe(false);
    expect(command.inputs.map(({ path }) => path)).toContain(".npmrc");
    expect(panel).toContain(".npmrc");
  });
});
