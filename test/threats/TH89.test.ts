// What a script's name really is in node_modules is shown and bound; and a test is project code, so it runs in the sandbox.
import { chmodSync, existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { panel } from "../view/helpers.ts";

const outside = join(homedir(), `th89-${process.pid}`);
const files = {
  "package.json": '{"name":"p","version":"1.0.0","scripts":{"test":"ls"}}',
  "node_modules/.bin/ls": `#!/bin/sh\ntouch ${outside}\necho planted\n`,
};

describe.each(sandboxes)("TH89 a planted program of a script, sandbox %s", (sandbox) => {
  it("is named on the panel, and confined", { timeout: 60_000 }, async () => {
    const t = await testAgent({
      guided: false,
      sandbox,
      files,
      answer: sandbox === "off" ? () => "reject" : () => "approve",
      steps: [call("run_command", { argv: ["npm", "test"], reason: "r" }), { text: "Done." }],
    });
    chmodSync(join(t.root, "node_modules/.bin/ls"), 0o755);
    await t.run("go");
    const content = t.proposals("command")[0]?.content;
    if (content?.kind !== "command") throw new Error("nothing was proposed");
    expect(panel(content)).toContain("node_modules/.bin/ls");
    expect(content.commands[0]?.inputs.map(({ path }) => path)).toContain("node_modules/.bin/ls");
    expect(content.traits).toContainEqual(expect.objectContaining({ trait: "runs-project-code" }));
    if (sandbox !== "off") expect(t.results()[0]).toContain("planted");
    expect(existsSync(outside)).toBe(false);
  });
});
