// Every script that npm will run is in the panel, in order, and bound.
import { describe, expect, it } from "vitest";
import { npmTest } from "./npm.ts";

describe("TH88 scripts before and after the test", { timeout: 60_000 }, () => {
  it("are shown with their bodies, those that they call too", async () => {
    const { command, panel } = await npmTest({
      "package.json": JSON.stringify({
        scripts: {
          pretest: "npm run prepare-it",
          "prepare-it": "echo preparing",
          test: "echo testing",
          posttest: "echo after",
        },
      }),
    });
    expect(command.scripts.map(({ name, body }) => `${name}: ${body}`)).toEqual([
      "pretest: npm run prepare-it",
      "test: echo testing",
      "posttest: echo after",
      "prepare-it: echo preparing",
    ]);
    for (const { body } of command.scripts) expect(panel).toContain(body);
    expect(command.inputs.map(({ path }) => path)).toContain("package.json");
  });
});
