// A key that comes in pieces is masked as if it came whole: on the screen, for the model, in the record.
// limit: only values that MiniCode knows are masked everywhere; what merely looks like a key is masked in exports.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { redactorTarget } from "../fuzz/redactor.ts";
import { call, testAgent } from "../helpers/agent.ts";

const key = "sk-canary-0123456789abcdef";
/** Writes the key byte by byte, each in a write of its own. */
const drip = `const key = process.argv[2].split("").reverse();
const next = (i) => i < key.length && process.stdout.write(key[i], () => setImmediate(next, i + 1));
next(0);`;

describe("TH70 a key in many small writes", () => {
  it("shows in no event, no request and no file", async () => {
    vi.stubEnv("CANARY_API_KEY", key);
    try {
      const t = await testAgent({
        guided: false,
        files: { "drip.mjs": drip },
        steps: [
          call("run_command", { argv: ["node", "drip.mjs", [...key].reverse().join("")], reason: "r" }),
          { text: `it is ${key}` },
        ],
      });
      await t.run("go");
      expect(t.results()[0]).toContain("<redacted>");
      await t.agent.close();
      expect(JSON.stringify(t.model.requests)).not.toContain(key);
      for (const type of ["text", "output"] as const) {
        const joined = t.events.map((event) => (event.type === type ? event.text : "")).join("");
        expect(joined).not.toContain(key);
      }
      for (const entry of readdirSync(t.data, { recursive: true, withFileTypes: true })) {
        if (entry.isFile())
          expect(readFileSync(join(entry.parentPath, entry.name), "utf8")).not.toContain(key);
      }
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("1,000 keys in all encodings and cuts", async () => {
    expect((await redactorTarget.run(1_000, 70)).failures).toEqual([]);
  });
});
