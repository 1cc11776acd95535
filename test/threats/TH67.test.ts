// Programs get a list of known harmless variables, by name.
import { describe, expect, it, vi } from "vitest";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { call, testAgent } from "../helpers/agent.ts";

const secrets = {
  OPENAI_API_KEY: "sk-test-ENV-5519",
  AWS_SECRET_ACCESS_KEY: "aws-ENV-5519",
  GITHUB_TOKEN: "ghp-ENV-5519",
  DATABASE_URL: "postgres://u:ENV-5519@h/db",
  SSH_AUTH_SOCK: "/tmp/ENV-5519",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/ENV-5519",
  HTTPS_PROXY: "http://u:ENV-5519@proxy",
  NODE_OPTIONS: "--require=/ENV-5519.cjs",
  LD_PRELOAD: "/ENV-5519.so",
  SOMETHING_ELSE: "ENV-5519",
};

describe("TH67 keys in a program's environment", () => {
  it("only the allowed names go through", () => {
    const env = childEnvironment({ ...secrets, PATH: "/bin", HOME: "/h", LC_ALL: "C" }, "/w");
    expect(JSON.stringify(env)).not.toContain("5519");
    expect(env).toMatchObject({ PATH: "/bin", HOME: "/h", LC_ALL: "C" });
  });

  it("env, run by the agent, shows none of them, and the panel lists what it gets", async () => {
    for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
    try {
      const t = await testAgent({
        guided: false,
        steps: [
          call("run_command", { argv: ["env"], reason: "r" }),
          call("run_shell", { command: "env; export -p", reason: "r" }),
          { text: "Done." },
        ],
      });
      await t.run("go");
      expect(t.results().join()).toContain("PATH=");
      expect(JSON.stringify(t.model.requests)).not.toContain("5519");
      for (const { content } of t.proposals("command")) {
        const names = content.kind === "command" ? content.environment : [];
        for (const name of Object.keys(secrets)) expect(names).not.toContain(name);
      }
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
