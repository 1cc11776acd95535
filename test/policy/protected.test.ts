import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { protectedBy } from "../../src/policy/protected.ts";

describe("protectedBy", () => {
  it.each([
    [".env", ".env"],
    [".env.local", ".env.*"],
    [".env.production.local", ".env.*"],
    ["config/.env.staging", ".env.*"],
    [".env.example.local", ".env.*"],
    [".git", ".git"],
    [".git/config", ".git"],
    ["sub/.git/hooks/pre-commit", ".git"],
    [".ssh/known_hosts", ".ssh"],
    [".aws/credentials", ".aws"],
    [".gnupg/x", ".gnupg"],
    [".minicode/settings.json", ".minicode"],
    [".minicodeignore", ".minicodeignore"],
    [".npmrc", ".npmrc"],
    ["a/.yarnrc.yml", ".yarnrc.yml"],
    [".netrc", ".netrc"],
    ["_netrc", "_netrc"],
    [".git-credentials", ".git-credentials"],
    ["credentials.json", "credentials*.json"],
    ["credentials-prod.json", "credentials*.json"],
    ["secrets.yaml", "secrets.yaml"],
    ["service-account-1.json", "service-account*.json"],
    ["tls/server.pem", "*.pem"],
    ["a.KEY", "*.key"],
    ["id_rsa", "id_rsa"],
    ["keys/id_ed25519", "id_ed25519"],
  ])("protects %j by %j", (path, rule) => {
    expect(protectedBy(path)).toBe(rule);
  });

  it.each([
    ".ENV",
    ".Git/config",
    ".gıt/config",
    ".g\u200cit/config",
    ".\u200benv",
    "\ufeff.env",
    "．env",
    ".ｅｎｖ",
    ".ßh/id",
    ".git./config",
    ".env ",
    ".env. .",
    ".env::$DATA",
    "GIT~1/config",
    ".git\\config",
    ".\u2064n\u00adpmrc",
    "ſecrets.json",
    "server.PEM\u200d",
  ])("is not fooled by another spelling: %j", (path) => {
    expect(protectedBy(path)).not.toBeNull();
  });

  it.each([
    ...[
      ".env~",
      "..env.swp",
      ".#.env",
      "#.env#",
      ".env copy",
      ".env copy 2",
      ".env (1)",
      ".env-copy",
      ".npmrc.bak",
    ],
    ...["server.key.old", "x.pem~", "id_rsa.bak", ".pypirc.save", "a/.id_ed25519.swo"],
  ])("a copy of one is one: %j", (path) => {
    expect(protectedBy(path)).not.toBeNull();
  });

  it.each([
    "prod.env",
    ".envrc",
    ".env1",
    "x.tfvars",
    "terraform.tfstate",
    ".dev.vars",
    ".docker/config.json",
  ])("keeps %j", (path) => {
    expect(protectedBy(path)).not.toBeNull();
  });

  it.each([
    ".",
    "src/copy.ts",
    "notes.bak",
    "a.ts.orig",
    "src/a.ts",
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.local.example",
    ".environment",
    ".gitignore",
    ".github/workflows/ci.yml",
    "env",
    "environment.ts",
    "git/x",
    "node_modules/x/index.js",
    "keyboard.ts",
    "src/credentials.ts",
    "id_rsa.pub",
    "pem/a",
    ".gitattributes",
  ])("leaves %j alone", (path) => {
    expect(protectedBy(path)).toBeNull();
  });

  it("protects a name in any folder and whatever lies below it", () => {
    const name = fc.constantFrom(".env", ".git", ".npmrc", "a.pem", ".ssh");
    const folder = fc.stringMatching(/^[a-z]{1,5}$/);
    fc.assert(
      fc.property(fc.array(folder), name, fc.array(folder), (above, secret, below) => {
        expect(protectedBy([...above, secret, ...below].join("/"))).not.toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});
