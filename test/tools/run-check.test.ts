import { describe, expect, it } from "vitest";
import type { PlanContent } from "../../src/protocol/proposal.ts";
import { type CheckSettings, checkFor, runCheckTool } from "../../src/tools/run-check.ts";
import { sha256 } from "../../src/util/hash.ts";
import { unconfined } from "../helpers/sandbox.ts";
import { bench } from "./context.ts";

const manifest = (test: string): string => JSON.stringify({ name: "p", scripts: { test } });
const plan: PlanContent = {
  ...{ kind: "plan", summary: "", steps: [], files: [], origin: "call", added: [], dropped: [] },
  check: ["node", "planned.mjs"],
};

async function checking(
  files: Record<string, string>,
  over: { changed?: string[]; plan?: PlanContent; required?: CheckSettings["required"] } = {},
) {
  const b = await bench(files, {
    changedPaths: () => over.changed ?? [],
    approvedPlan: () => over.plan ?? null,
  });
  const required = over.required ? { required: over.required } : {};
  const settings = { timeoutMs: 5000, environment: b.environment, sandbox: unconfined, ...required };
  return {
    b,
    settings,
    tool: runCheckTool(settings),
    async content() {
      const found = await checkFor(settings, b.context);
      if (!found.ok || !found.value) throw new Error(`no check: ${JSON.stringify(found)}`);
      return found.value;
    },
  };
}

describe("run_check", () => {
  it("proposes the project's test as it will run: argv, scripts, bound files, limit, environment, traits", async () => {
    const files = { "package.json": manifest("node t.mjs"), "t.mjs": "" };
    const { b, tool } = await checking(files);
    const prepared = await b.prepare(tool, { reason: "baseline" });
    expect(prepared).toEqual({
      kind: "effect",
      content: {
        kind: "command",
        reason: "baseline",
        check: { origin: "manifest", label: "npm test", baseline: false },
        commands: [
          expect.objectContaining({
            argv: ["npm", "test", "--script-shell=/bin/sh", "--node-options="],
            cwd: ".",
            timeoutMs: 5000,
            scripts: [{ name: "test", body: "node t.mjs" }],
            inputs: [
              { path: "package.json", hash: sha256(files["package.json"]) },
              { path: "t.mjs", hash: sha256("") },
            ],
          }),
        ],
        traits: [{ trait: "runs-project-code", because: "a check is the project's own code" }],
        environment: Object.keys(b.environment).sort(),
        sandbox: unconfined,
      },
    });
  });

  it("takes no choice of the call's: no filter, no argv", async () => {
    const { tool } = await checking({});
    for (const more of [{ filter: "x" }, { argv: ["true"] }, { path: "a" }]) {
      expect(tool.input.safeParse(more).success).toBe(false);
    }
    expect(tool.input.safeParse({}).success).toBe(true);
  });

  it("says what to do where there is none, and why where it is broken", async () => {
    const none = await checking({ "a.txt": "x\n" });
    expect(await none.b.answer(none.tool, {})).toMatchObject({
      outcome: "error",
      content: "This project has no test that MiniCode can find. A plan may name one in its check field.",
    });
    const placeholder = await checking({
      "package.json": manifest('echo "Error: no test specified" && exit 1'),
    });
    expect(await placeholder.b.answer(placeholder.tool, {})).toMatchObject({ outcome: "error" });
    const broken = await checking({ "package.json": "{" });
    expect(await broken.b.answer(broken.tool, {})).toMatchObject({
      outcome: "error",
      content: expect.stringContaining("package.json is not a JSON object"),
    });
  });

  it("runs the test nearest to what this session changed", async () => {
    const files = { "package.json": manifest("node a"), "packages/a/package.json": manifest("node b") };
    const root = await checking(files);
    expect((await root.content()).check?.label).toBe("npm test");
    const inner = await checking(files, { changed: ["packages/a/src/x.ts"] });
    expect((await inner.content()).check?.label).toBe("(cd packages/a && npm test)");
    expect((await inner.content()).commands[0]?.cwd).toBe("packages/a");
  });

  it("prefers the settings, then the manifest, and takes the plan's check only where there is neither", async () => {
    const files = { "package.json": manifest("node a") };
    const required = [
      ["node", "lint.mjs"],
      ["node", "--test"],
    ];
    const settings = await (await checking(files, { required, plan })).content();
    expect(settings.check).toEqual({
      origin: "settings",
      label: "node lint.mjs && node --test",
      baseline: false,
    });
    expect(settings.commands.map(({ argv }) => argv)).toEqual(required);
    const both = await (await checking(files, { plan })).content();
    expect(both.check?.origin).toBe("manifest");
    const planned = await (await checking({}, { plan })).content();
    expect(planned.check).toEqual({ origin: "plan", label: "node planned.mjs", baseline: false });
  });

  it("shows what else a check can do, beside running the project's code", async () => {
    const required = [
      ["bash", "all.sh"],
      ["npx", "x"],
    ];
    const { traits } = await (await checking({ "all.sh": "" }, { required })).content();
    expect(traits.map(({ trait }) => trait)).toEqual(["runs-project-code", "opaque", "network"]);
  });

  it("is refused when its program is not there", async () => {
    const { b, tool } = await checking({}, { required: [["no-such-program-4711"]] });
    expect(await b.answer(tool, {})).toMatchObject({
      outcome: "error",
      content:
        "The user's setting checks.required cannot be run. There is no program no-such-program-4711 in PATH.",
    });
  });
});
