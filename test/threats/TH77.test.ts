// Services that act for the user are out of reach: their sockets are hidden, and no variable names them.
// limit: sockets with a path outside of /run and /tmp can be connected to from the sandbox; without a sandbox all can.
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { call, testAgent } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";

const paths = ["/tmp/minicode-th77.sock", "/run/minicode-th77.sock", "\0minicode-th77"];
const probe = `node -e 'for (const path of ${JSON.stringify(paths)}) require("net").connect(path)
  .on("connect", function () { console.log("reached"); this.destroy(); }).on("error", (e) => console.log(e.code))'`;

describe("TH77 authority of other services", () => {
  it("no variable leads to an agent or a bus", () => {
    const names = [
      "SSH_AUTH_SOCK",
      "DBUS_SESSION_BUS_ADDRESS",
      "DOCKER_HOST",
      "GPG_AGENT_INFO",
      "XDG_RUNTIME_DIR",
      "DISPLAY",
    ];
    const env = childEnvironment(
      { PATH: "/bin", ...Object.fromEntries(names.map((name) => [name, "/run/x"])) },
      "/w",
    );
    for (const name of names) expect(env).not.toHaveProperty(name);
  });

  it.skipIf(!sandboxes.includes("require"))(
    "their sockets are not there in the sandbox (needs bubblewrap)",
    async () => {
      const servers = await Promise.all(
        paths.map(
          (path) =>
            new Promise<ReturnType<typeof createServer> | null>((done) => {
              const server = createServer();
              // Not everybody may write in /run.
              server.once("error", () => done(null)).listen(path, () => done(server));
            }),
        ),
      );
      try {
        const t = await testAgent({
          guided: false,
          sandbox: "require",
          steps: [call("run_shell", { command: probe, reason: "r" }), { text: "Done." }],
        });
        await t.run("go");
        expect(t.results()[0]).toMatch(/ENOENT|ECONNREFUSED/);
        expect(t.results()[0]).not.toContain("reached");
      } finally {
        for (const server of servers) server?.close();
      }
    },
  );
});
