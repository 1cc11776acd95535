// Whether a folder is trusted is asked of its path alone; before that nothing in it is read. test/e2e/trust.e2e.ts proves the same for
// the whole product with strace, up to the first key.
import { chmodSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTrusted, trustFolder } from "../../src/config/trust.ts";
import { testAgent } from "../helpers/agent.ts";

const base = (): string => mkdtempSync(join(tmpdir(), "minicode-trust-"));

describe("TH60 nothing of a folder counts before it is trusted", () => {
  it.skipIf(process.getuid?.() === 0)(
    "asking reads nothing in it: it works where nothing can be read",
    async () => {
      const places = { config: base(), data: base(), state: base() };
      const folder = base();
      chmodSync(folder, 0o000);
      expect(await isTrusted(places, folder)).toBe(false);
      chmodSync(folder, 0o700);
    },
  );

  it("trust is for this folder: another one in its place has none", async () => {
    const places = { config: base(), data: base(), state: base() };
    const folder = join(base(), "ws");
    mkdirSync(folder);
    expect(await isTrusted(places, folder)).toBe(false);
    await trustFolder(places, folder);
    expect(await isTrusted(places, folder)).toBe(true);
    renameSync(folder, `${folder}.was`);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), "{}");
    expect(await isTrusted(places, folder)).toBe(false);
  });

  it("in an untrusted folder AGENTS.md does not reach the model, in a trusted one it does", async () => {
    for (const trusted of [false, true]) {
      const t = await testAgent({
        mode: "read",
        guided: false,
        trusted,
        files: { "AGENTS.md": "Speak like MARKER-4417.\n", ".minicode/settings.json": "not json" },
        steps: [{ text: "Done." }],
      });
      await t.run("go");
      expect(JSON.stringify(t.model.requests).includes("MARKER-4417")).toBe(trusted);
    }
  });
});
