// The demo's job against servers that are not ours: packages of the registry that mimic OpenAI, Anthropic and Ollama, installed
// into a temp folder. By hand: `node scripts/foreign-servers.mjs`; ends with a line per server and exit code 1 on a failure.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const AIMOCK = "@copilotkit/aimock@1.43.0";
const OPENAI_MOCK_API = "openai-mock-api@0.4.0";
const PROMPT = "Make the fee follow the README.";
const KEY = "test-key-0123456789";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { steps } = JSON.parse(readFileSync(join(root, "demo", "script.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "minicode-foreign-"));
execFileSync(
  "npm",
  ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", AIMOCK, OPENAI_MOCK_API],
  { stdio: "ignore" },
);

const results = [];
const aimock = await startAimock();
for (const [profile, env] of [
  [
    "openai-compatible",
    {
      MINICODE_OPENAI_BASE_URL: `${aimock.url}/v1`,
      MINICODE_OPENAI_MODEL: "gpt-4o",
      MINICODE_OPENAI_API_KEY: KEY,
    },
  ],
  ["foreign-anthropic", { ANTHROPIC_API_KEY: KEY }],
  ["foreign-ollama", {}],
]) {
  results.push(await drive(`${AIMOCK}, ${profile}`, profile, env, ownProfiles(aimock.url)));
}
await aimock.stop();
const mockApi = await startMockApi();
results.push(
  await drive(
    OPENAI_MOCK_API,
    "openai-compatible",
    {
      MINICODE_OPENAI_BASE_URL: `${mockApi.url}/v1`,
      MINICODE_OPENAI_MODEL: "gpt-4o",
      MINICODE_OPENAI_API_KEY: KEY,
    },
    {},
  ),
);
mockApi.stop();
for (const line of results) console.log(line.text);
process.exitCode = results.every((line) => line.ok) ? 0 : 1;

async function startAimock() {
  const entry = join(folder, "node_modules", "@copilotkit", "aimock", "dist", "index.js");
  const { LLMock } = await import(pathToFileURL(entry).href);
  const mock = new LLMock({ port: 0 });
  steps.forEach(({ text, calls }, turn) => {
    const toolCalls = calls?.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) }));
    mock.on(
      { predicate: ({ messages }) => messages.filter((m) => m.role === "assistant").length === turn },
      toolCalls ? { ...(text ? { content: text } : {}), toolCalls } : { content: text },
    );
  });
  await mock.start();
  return { url: mock.url, stop: () => mock.stop() };
}

/** One flow for each answer, shortest first: it gives the last message of the first flow that is long enough. */
async function startMockApi() {
  const flow = [
    { role: "system", matcher: "any" },
    { role: "user", matcher: "any" },
  ];
  const responses = steps.map(({ text, calls }, turn) => {
    const toolCalls = calls?.map((call, i) => ({
      id: `call_${turn}_${i}`,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
    flow.push({
      role: "assistant",
      ...(text ? { content: text } : {}),
      ...(toolCalls ? { tool_calls: toolCalls } : {}),
    });
    const messages = [...flow];
    for (const call of toolCalls ?? []) flow.push({ role: "tool", matcher: "any", tool_call_id: call.id });
    if (!toolCalls) flow.push({ role: "user", matcher: "any" });
    return { id: `turn-${turn}`, messages };
  });
  const port = await freePort();
  const config = join(folder, "flow.yaml");
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ apiKey: KEY, port, responses }));
  const cli = join(folder, "node_modules", "openai-mock-api", "dist", "cli.js");
  const child = spawn(process.execPath, [cli, "--config", config, "--port", String(port)], {
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await listening(`${url}/v1/models`);
  return { url, stop: () => child.kill() };
}

async function drive(name, profile, env, profiles) {
  const home = mkdtempSync(join(folder, "home-"));
  mkdirSync(join(home, "minicode", "profiles"), { recursive: true });
  for (const [id, body] of Object.entries(profiles)) {
    writeFileSync(
      join(home, "minicode", "profiles", `${id}.json`),
      JSON.stringify({ id, label: id, ...body }),
    );
  }
  const workspace = mkdtempSync(join(folder, "work-"));
  cpSync(join(root, "demo", "project"), workspace, { recursive: true });
  const git = (...args) => execFileSync("git", args, { cwd: workspace, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=x", "-c", "user.email=x@example.invalid", "commit", "-q", "-m", "Car park fees");
  const args = ["-p", PROMPT, "--guided", "--mode", "edit", "--yes", "plan,apply,run", "--profile", profile];
  const child = spawn(
    process.execPath,
    [join(root, "bin", "minicode.mjs"), ...args, "--output-format", "json"],
    {
      cwd: workspace,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_CONFIG_HOME: home,
        XDG_DATA_HOME: home,
        XDG_STATE_HOME: home,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let out = "";
  let err = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (err += data));
  const code = await new Promise((done) => child.on("close", done));
  const outcome = code === 0 ? JSON.parse(out).outcome : undefined;
  const ok = code === 0 && outcome?.work?.state === "verified";
  return {
    ok,
    text: `${ok ? "ok  " : "FAIL"} ${name}: exit ${code}${ok ? ", verified" : `\n${out}\n${err}`}`,
  };
}

function ownProfiles(url) {
  return {
    "foreign-anthropic": {
      provider: "anthropic",
      baseUrl: url,
      model: "claude-sonnet-4-5",
      apiKeyEnv: "ANTHROPIC_API_KEY",
    },
    "foreign-ollama": { provider: "ollama", baseUrl: url, model: "gpt-4" },
  };
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

async function listening(url) {
  for (let tries = 0; tries < 100; tries++) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    );
    if (up) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${url} does not answer`);
}
