import { describe, expect, it } from "vitest";
import { createRowsOf } from "../../src/cli/report.ts";
import { toOpenAiMessages } from "../../src/model/openai-messages.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { call } from "../helpers/agent.ts";
import { unframed } from "../helpers/frame.ts";
import { sandboxes } from "../helpers/sandboxes.ts";
import { type Case, outputs, runCase, sentText } from "./support.ts";

/** What the model reads after the line that says how the program ended. */
function reported(c: Case): string | undefined {
  return unframed(c.ended[0]?.content ?? "").split(/: exit 0, .*\n/)[1];
}

describe.each(sandboxes)("with sandbox %s", (sandbox) => {
  function run(script: string): Promise<Case> {
    return runCase({
      guided: false,
      sandbox,
      steps: [call("run_command", { argv: ["bash", "-c", script], reason: "r" })],
    });
  }

  it("C07: (a) a character that comes in two pieces is one character", async () => {
    const c = await run("printf '\\342'; sleep 0.2; printf '\\200\\224 end\\n'");
    expect(outputs(c)).toEqual(["— end\n"]);
    expect(reported(c)).toBe("— end");
    expect(sentText(c)).not.toContain("\uFFFD");
  });

  it("C07: (b) a byte that is no UTF-8 is one replacement character", async () => {
    const c = await run("printf 'a\\377b\\n'");
    expect(outputs(c)).toEqual(["a\uFFFDb\n"]);
    expect(reported(c)).toBe("a\uFFFDb");
  });

  it("C07: (c) output without a final newline is told as it is, and what follows has its own row", async () => {
    const c = await run("printf 'no-newline'");
    expect(outputs(c)).toEqual(["no-newline"]);
    expect(reported(c)).toBe("no-newline");
    const rowsOf = createRowsOf();
    const screen = c.events.map((event) => rowsToText(rowsOf(event), { color: false })).join("\n");
    expect(screen).toMatch(/^run bash -c .*printf 'no-newline'.* ok$/m);
  });

  it("C07: (d) no NUL reaches the model or the screen", async () => {
    const c = await run("printf '\\0x\\n'");
    expect(outputs(c)).toEqual(["␀x\n"]);
    expect(reported(c)).toBe("␀x");
    expect(sentText(c)).not.toMatch(/\0|\\u0000/);
  });

  it("C07: (e) a character that our own limits cut in two never leaves as half of one", async () => {
    for (const shift of ["", "x"]) {
      const c = await run(`printf '${shift}'; yes 😀😀😀😀 | tr -d '\\n' | head -c 400000`);
      expect(c.results()[0]?.length).toBeLessThan(61_000);
      for (const { messages } of c.model.requests) {
        expect(JSON.stringify(toOpenAiMessages(messages))).not.toMatch(/\\ud[89a-f]/);
      }
    }
  });
});
