// K02 on the built product, whose environment really holds the keys: what a program finds of them in /proc.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { product, script } from "../e2e/product.ts";
import { sandboxes } from "../helpers/sandboxes.ts";

const look =
  'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c "^\\(OPENAI_API_KEY\\|MINICODE_OPENAI_API_KEY\\)=sk-.*5519"; true';

describe.each(sandboxes)("with sandbox %s", (sandbox) => {
  it("K02: the environment of MiniCode is out of reach in the sandbox; without one it is not, and the panel says so", async () => {
    const p = product({
      "package.json": '{"name":"p","scripts":{"test":"bash look.sh > found.txt"}}',
      "look.sh": look,
    });
    const steps = script(p, "check", [{ calls: [{ name: "run_check", arguments: {} }] }, { text: "Done." }]);
    const extra = { OPENAI_API_KEY: "sk-test-ENV-5519", MINICODE_OPENAI_API_KEY: "sk-own-ENV-5519" };
    const ended = await p.run(
      ["-p", "Go.", "--mode", "edit", "--yes", "run", "--sandbox", sandbox].concat([
        "--profile",
        "scripted",
        "--script",
        steps,
        "--output-format",
        "stream-json",
      ]),
      { extra },
    );
    const events = ended.stdout.split("\n");
    const found = Number(readFileSync(join(p.cwd, "found.txt"), "utf8"));
    const panel = events.find((line) => line.includes('"type":"proposal"')) ?? "";
    if (sandbox === "off") {
      expect(found).toBeGreaterThan(0);
      expect(panel).toContain('"sandbox":{"kind":"none"');
    } else {
      expect(found).toBe(0);
      expect(panel).toContain('"sandbox":{"kind":"bubblewrap"');
    }
    expect(ended.stdout).not.toContain("ENV-5519");
  });
});
