// limit: pending: MiniCode has no MCP client yet, so no server can change a tool after it was approved.
import { describe, expect, it } from "vitest";
import { testAgent } from "../helpers/agent.ts";

describe("TH96 a tool that changes after it was approved", () => {
  it.todo("a changed tool list of an MCP server is off until it is approved again");

  it("the tools are MiniCode's own, the same in every request of a session", async () => {
    const t = await testAgent({ guided: false, steps: [{ text: "one" }, { text: "two" }] });
    await t.run("go");
    await t.run("again");
    const [first, second] = t.model.requests.map(({ tools }) => JSON.stringify(tools));
    expect(first).toBe(second);
  });
});
