import { expect, it } from "vitest";
import * as z from "zod";
import { run } from "../../src/cli/run.ts";
import { allTools } from "../../src/tools/registry.ts";
import { unconfined } from "../helpers/sandbox.ts";
import { fakeIo } from "./fake-io.ts";

const settings = {
  check: { timeoutMs: 1, environment: {}, sandbox: unconfined },
  command: { timeoutMs: 1, environment: {}, sandbox: unconfined },
};

it("lists every tool with its class, where it is offered, its bounds and its parameters", async () => {
  const t = fakeIo();
  expect(await run(["tools"], t.io)).toBe(0);
  for (const { tool } of allTools(settings)) {
    expect(t.stdout()).toContain(`\n${tool.name}\n`.trimStart());
  }
  expect(t.stdout()).toContain("bounds: 2000 lines or 50 KB");
  expect(t.stdout()).toMatch(/run_command\n {2}command: waits for RUN[\s\S]*bounds: 120 s/);
  expect(t.stdout()).toMatch(/argv: list of string/);
  for (const line of t.stdout().split("\n")) expect(line.length).toBeLessThanOrEqual(100);
});

it("gives a script the schemas as the model gets them", async () => {
  const t = fakeIo();
  expect(await run(["tools", "--json"], t.io)).toBe(0);
  const described = z
    .array(
      z.object({
        name: z.string(),
        class: z.string(),
        limits: z.string(),
        schema: z.object({ type: z.literal("object") }),
      }),
    )
    .parse(JSON.parse(t.stdout()));
  expect(described.map(({ name }) => name)).toEqual(allTools(settings).map(({ tool }) => tool.name));
});

it("takes no words", async () => {
  const t = fakeIo();
  expect(await run(["tools", "git"], t.io)).toBe(2);
});
