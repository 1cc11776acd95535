import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { childEnvironment } from "../../src/workspace/environment.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());

test("TH67 only listed names pass; keys, tokens and sockets do not", () => {
  const env = childEnvironment(
    {
      ...{ PATH: "/usr/bin", HOME: "/home/u", LANG: "C", LC_ALL: "C.UTF-8", CARGO_HOME: "/c", GOCACHE: "/g" },
      ...{ OPENAI_API_KEY: "sk-5519", GITHUB_TOKEN: "t", AWS_SECRET_ACCESS_KEY: "s", MINICODE_API_KEY: "m" },
      ...{ SSH_AUTH_SOCK: "/s", DBUS_SESSION_BUS_ADDRESS: "d", HTTP_PROXY: "http://u:p@h", FORCE_COLOR: "1" },
    },
    folder.ws,
  );
  expect(Object.keys(env).sort()).toEqual(
    [
      ...["PATH", "HOME", "LANG", "LC_ALL", "CARGO_HOME", "GOCACHE"],
      ...["TERM", "NO_COLOR", "CI", "PAGER", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "PYTHONDONTWRITEBYTECODE"],
      ...["npm_config_audit", "npm_config_fund", "npm_config_update_notifier"],
      ...["npm_config_script_shell", "npm_config_node_options"],
    ].sort(),
  );
  expect(JSON.stringify(env)).not.toContain("5519");
});

test.each([
  ...[
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "BASH_ENV",
    "ENV",
  ],
  ...[
    "BASH_FUNC_ls%%",
    "GOFLAGS",
    "RUSTFLAGS",
    "JAVA_TOOL_OPTIONS",
    "PERL5OPT",
    "RUBYOPT",
    "GIT_EXTERNAL_DIFF",
  ],
  ...[
    "npm_config_script_shell",
    "npm_config_node_options",
    "RIPGREP_CONFIG_PATH",
    "PROMPT_COMMAND",
    "LC_x;y",
  ],
])("TH16, TH87 %s, which makes programs load code, does not pass", (name) => {
  expect(Object.values(childEnvironment({ [name]: "./evil" }, folder.ws))).not.toContain("./evil");
});

test("programs are told to be plain, whatever the user's terminal is", () => {
  const env = childEnvironment(
    { TERM: "xterm-256color", NO_COLOR: "", CI: "false", PAGER: "less" },
    folder.ws,
  );
  expect(env).toMatchObject({
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "true",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  });
});

test("TH15 PATH loses what is relative and what lies in the workspace, also through a link", () => {
  const bin = join(folder.ws, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(bin, join(folder.base, "link"));
  const entries = [
    ".",
    "",
    "bin",
    bin,
    folder.ws,
    join(folder.base, "link"),
    `${folder.ws}-other`,
    "/usr/bin",
    "/no/such",
  ];
  const { PATH } = childEnvironment({ PATH: entries.join(":") }, folder.ws);
  expect(PATH).toBe(`${folder.ws}-other:/usr/bin:/no/such`);
});
