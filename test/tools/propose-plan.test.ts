import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PlanContent } from "../../src/protocol/proposal.ts";
import { proposePlanTool } from "../../src/tools/propose-plan.ts";
import { unconfined } from "../helpers/sandbox.ts";
import { bench } from "./context.ts";

const npm = (test: string): string => JSON.stringify({ name: "p", scripts: { test } });

async function planFor(files: Record<string, string>, input: { files: string[]; check?: string[] }) {
  const b = await bench(files);
  const tool = proposePlanTool({ timeoutMs: 1000, environment: b.environment, sandbox: unconfined });
  const prepared = await b.prepare(tool, { summary: "s", steps: ["one"], ...input });
  if (prepared.kind !== "effect" || prepared.content.kind !== "plan") throw new Error("no plan");
  return { root: b.root, plan: prepared.content };
}

describe("propose_plan", () => {
  it("is the plan as it is shown: what was asked for, and the project's own check", async () => {
    const { plan } = await planFor({ "package.json": npm("node t.mjs") }, { files: ["src/a.ts", "test/"] });
    expect(plan).toEqual<PlanContent>({
      kind: "plan",
      summary: "s",
      steps: ["one"],
      files: ["src/a.ts", "test/"],
      projectCheck: "npm test",
      origin: "call",
      added: [],
      dropped: [],
    });
  });

  it("names no project check where there is none, and keeps the model's own", async () => {
    const { plan } = await planFor({}, { files: ["a"], check: ["node", "verify.mjs"] });
    expect(plan).not.toHaveProperty("projectCheck");
    expect(plan.check).toEqual(["node", "verify.mjs"]);
    expect((await planFor({}, { files: ["a"], check: [] })).plan).not.toHaveProperty("check");
  });

  it("finds the check nearest to the files, for a folder the one in it", async () => {
    const files = { "package.json": npm("node root.mjs"), "packages/a/package.json": npm("node a.mjs") };
    const checkOf = async (...scope: string[]) => (await planFor(files, { files: scope })).plan.projectCheck;
    expect(await checkOf("x.ts")).toBe("npm test");
    expect(await checkOf("packages/a/x.ts")).toBe("(cd packages/a && npm test)");
    expect(await checkOf("packages/a/")).toBe("(cd packages/a && npm test)");
    expect(await checkOf("./")).toBe("npm test");
    expect(await checkOf("packages/a/x.ts", "x.ts")).toBe("npm test && (cd packages/a && npm test)");
    expect(await checkOf()).toBe("npm test");
  });

  it("takes paths as the model writes them, and leaves those outside for the user to see", async () => {
    const { root, plan } = await planFor(
      {},
      { files: ["./a.ts", ".", "./src/", "b/../c.ts", "../x", "/etc/"] },
    );
    expect(plan.files).toEqual(["a.ts", "./", "src/", "c.ts", "../x", "/etc/"]);
    const absolute = await planFor({}, { files: [join(root, "a.ts")] });
    expect(absolute.plan.files).toEqual([join(root, "a.ts")]);
  });

  it("wants a step", () => {
    const { input } = proposePlanTool({ timeoutMs: 1000, environment: {}, sandbox: unconfined });
    expect(input.safeParse({ summary: "s", steps: [], files: [] }).success).toBe(false);
  });
});
