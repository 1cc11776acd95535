// K02: a program gets neither the agent's key nor anybody else's, and with a sandbox it cannot look for them either.
import { expect, it } from "vitest";
import { probeSandbox } from "../../src/workspace/sandbox.ts";
import { call, project } from "../helpers/agent.ts";
import { type Case, outputs, runCase } from "./support.ts";

const shell = (command: string) => call("run_shell", { command, reason: "r" });
const sandbox = await probeSandbox("auto", process.env["PATH"] ?? "", []);

function withKeys(): () => void {
  process.env["OPENAI_API_KEY"] = "sk-test-ENV-5519";
  process.env["MINICODE_OPENAI_API_KEY"] = "mc-own-5519-key";
  return () => {
    delete process.env["OPENAI_API_KEY"];
    delete process.env["MINICODE_OPENAI_API_KEY"];
  };
}

async function run(options: Parameters<typeof runCase>[0]): Promise<Case> {
  const forget = withKeys();
  try {
    return await runCase(options);
  } finally {
    forget();
  }
}

it("K02: the environment of a command holds no key, and what it needs", async () => {
  const c = await run({
    guided: false,
    steps: [shell('printenv | grep -c 5519; [ -n "$PATH" ] && [ -n "$HOME" ] && echo ok')],
  });
  expect(outputs(c)).toEqual(["0\nok\n"]);
});

it("K02: nor does that of the check", async () => {
  const c = await run({
    guided: false,
    files: project({
      "test.mjs":
        "console.log(Object.values(process.env).filter((v) => v.includes('5519')).length); process.exit(1)",
    }),
    steps: [call("run_check", {})],
  });
  expect(outputs(c)[0]).toMatch(/^0$/m);
});

it.skipIf(sandbox.kind === "none")(
  "K02: in the sandbox it is not in the parent's environment either",
  async () => {
    const c = await run({
      guided: false,
      sandbox: "auto",
      steps: [
        shell(
          'cat /proc/$PPID/environ 2>/dev/null | tr "\\0" "\\n" | grep -c 5519; for e in /proc/[0-9]*/environ; do tr "\\0" "\\n" < $e; done 2>/dev/null | grep -c 5519',
        ),
      ],
    });
    expect(outputs(c)).toEqual(["0\n0\n"]);
  },
);

it("K02: without one the panel says that it could be read", async () => {
  const c = await run({ guided: false, steps: [shell("node -v > x")] });
  expect(c.proposals("command")[0]?.content).toMatchObject({ sandbox: { kind: "none" } });
});
