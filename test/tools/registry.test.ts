import { describe, expect, it, onTestFinished } from "vitest";
import { openAiCompatDefaults } from "../../src/config/compat.ts";
import { createOpenAiCompatible } from "../../src/model/openai-compatible.ts";
import { allTools, checkToolNames, toolsFor } from "../../src/tools/registry.ts";
import { type TestAgentOptions, testAgent } from "../helpers/agent.ts";
import { event, startRawServer, streamHead } from "../helpers/raw-server.ts";
import { unconfined } from "../helpers/sandbox.ts";

const settings = {
  check: { timeoutMs: 1000, environment: {}, sandbox: unconfined },
  command: { timeoutMs: 1000, environment: {}, sandbox: unconfined },
};
const reads = ["list_dir", "read_file", "find_files", "search_text"];
type Session = Parameters<typeof toolsFor>[0];

function names(mode: Session["mode"], guided = false, only?: string[]): string[] {
  return toolsFor({ mode, guided }, settings, only).map(({ name }) => name);
}

describe("the tools of a session", () => {
  it("go by its mode", () => {
    expect(names("read")).toEqual([...reads, "git", "ask_user"]);
    expect(names("propose")).toEqual([...reads, "apply_patch", "git", "ask_user"]);
    expect(names("edit")).toEqual([
      ...[
        ...reads,
        "apply_patch",
        "run_check",
        "run_command",
        "run_shell",
        "read_output",
        "git",
        "web_fetch",
        "ask_user",
      ],
    ]);
    expect(names("edit", true)).toEqual([
      ...[...reads, "apply_patch", "run_check", "run_command", "git"],
      "propose_plan",
    ]);
  });

  it("can be narrowed, never widened, and a guided session keeps its plan", () => {
    expect(names("edit", false, ["run_check", "read_file", "apply_patch"])).toEqual([
      ...["read_file", "apply_patch", "run_check"],
    ]);
    expect(names("read", false, ["read_file", "apply_patch", "run_command"])).toEqual(["read_file"]);
    expect(names("edit", true, ["read_file"])).toEqual(["read_file", "propose_plan"]);
    expect(names("edit", false, ["propose_plan"])).toEqual([]);
  });

  it("include some only for those who name them", () => {
    const named = ["read_many_files", "replace_in_file", "write_file"];
    expect(names("edit", true, ["read_file", ...named])).toEqual([
      ...["read_file", "read_many_files", "replace_in_file", "write_file", "propose_plan"],
    ]);
    expect(names("read", false, named)).toEqual(["read_many_files"]);
    expect(names("propose", false, named)).toEqual(named);
  });

  it("are named right: an unknown name is an error with the nearest one", () => {
    expect(() => checkToolNames("tools", ["read_file", "read_fiel"], settings)).toThrow(
      expect.objectContaining({
        code: "E_TOOLS",
        message: 'tools: there is no tool "read_fiel"',
        hint: expect.stringMatching(/^Did you mean read_file\? /),
      }),
    );
  });
});

/** Bytes of the first request's body as the adapter sends it, from an empty folder. */
async function firstRequest(over: Partial<TestAgentOptions>): Promise<{ bytes: number; tools: string[] }> {
  const t = await testAgent({ steps: [{ text: "Done." }], ...over });
  await t.run("hi");
  const [request] = t.model.requests;
  if (!request) throw new Error("nothing was asked");
  const server = await startRawServer(async ({ write, end }) => {
    await write(
      streamHead,
      event({ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }),
      event("[DONE]"),
    );
    end();
  });
  onTestFinished(() => server.close());
  const model = createOpenAiCompatible({
    ...{ label: "Test server", baseUrl: server.url, model: "qwen3-coder-30b", apiKeyEnv: "TEST_KEY" },
    apiKey: "sk-test",
    limits: { connectMs: 1_000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 },
    compat: openAiCompatDefaults,
  });
  for await (const _ of model.stream(request, new AbortController().signal)) {
    // Only what was sent counts.
  }
  const body = server.requests[0]?.body ?? "";
  expect(body).not.toMatch(/\$schema|9007199254740991/);
  return { bytes: Buffer.byteLength(body), tools: request.tools.map(({ name }) => name) };
}

it("the first request in an empty folder keeps its budget: guided 6 KB, three tools 4 KB, every tool 9 KB", async () => {
  const guided = await firstRequest({ guided: true });
  const three = await firstRequest({
    guided: false,
    settings: { tools: ["read_file", "apply_patch", "run_check"] },
  });
  // Every tool a free session can have, the ones to be named among them.
  const every = allTools(settings).filter(({ to }) => to !== "guided");
  const tools = every.map(({ tool }) => tool.name);
  const all = await firstRequest({ guided: false, settings: { tools } });
  console.info(
    `first request: guided nine ${guided.bytes}, three ${three.bytes}, all ${all.tools.length} unguided ${all.bytes} bytes`,
  );
  expect([guided, three, all].map(({ tools }) => tools.length)).toEqual([9, 3, tools.length]);
  expect(guided.bytes).toBeLessThanOrEqual(6144);
  expect(three.bytes).toBeLessThanOrEqual(4096);
  expect(all.bytes).toBeLessThanOrEqual(9216);
});

it("every request carries the same tools and the same system message, and begins with the one before", async () => {
  const t = await testAgent({
    files: { a: "x\n" },
    guided: true,
    steps: [
      { calls: [{ name: "read_file", arguments: { path: "a" } }] },
      { text: "Read." },
      { text: "Again." },
    ],
  });
  await t.run("one");
  await t.run("two");
  const [first] = t.model.requests;
  for (const [i, { tools, messages }] of t.model.requests.entries()) {
    expect(JSON.stringify(tools)).toBe(JSON.stringify(first?.tools));
    const before = t.model.requests[i - 1]?.messages ?? [];
    expect(messages.slice(0, before.length)).toEqual(before);
  }
});
