// What looks like a secret, and what only looks like one at first sight. The keys here are made up.
import { describe, expect, it } from "vitest";
import { aroundPlaceholders, findSecrets, replaceSecrets } from "../../src/policy/key-patterns.ts";

const clean = (text: string, env: Record<string, string> = {}): string =>
  replaceSecrets(text, findSecrets([text], env));
/** So that nobody's scanner takes this file for a leak. */
const key = (...parts: string[]): string => parts.join("");

const openAi = key("sk-", "proj-", "a1B2c3D4e5F6g7H8i9J0");
const pem = key("-----BEGIN RSA PRIV", "ATE KEY-----\nMIIEow\n+/=\n-----END RSA PRIV", "ATE KEY-----");

describe("shapes", () => {
  it.each([
    ["OpenAI", openAi],
    ["Anthropic", key("sk-ant-", "api03-", "Zx9Yw8Vu7Ts6Rq5Po4")],
    ["Stripe", key("sk_", "live_", "51H8xKyLmN2pQrStUv")],
    ["GitHub", key("gh", "p_", "16C7e42F292c6912E7710c838347Ae178B4a")],
    ["GitHub, fine-grained", key("github_", "pat_11ABCDE2Y0", "_q1w2e3r4t5y6u7i8o9p0")],
    ["GitLab", key("gl", "pat-", "x7Yz8Wv9Ut0Sr1Qp2On3")],
    ["AWS", key("AK", "IA", "IOSFODNN7EXAMPLE")],
    ["Google", key("AI", "za", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q")],
    ["Slack", key("xo", "xb-", "123456789012-abcDEF123456")],
    ["JWT", key("ey", "JhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0In0", ".c2lnbmF0dXJlc2ln")],
    ["a private key", pem],
  ])("%s", (_name, secret) => {
    expect(clean(`x = "${secret}";`)).toBe('x = "<redacted:key-1>";');
  });

  it.each([
    ["a header", "Authorization: Bearer abcdef1234567890xyz", "Authorization: Bearer <redacted:key-1>"],
    ["a URL", "postgres://app:hunter2!@db.example/x", "postgres://app:<redacted:key-1>@db.example/x"],
    ["a quoted value", 'password: "correct7horse9"', 'password: "<redacted:key-1>"'],
    ["the same in JSON", '{"t":"api_key = \\"abc123def456\\""}', '{"t":"api_key = \\"<redacted:key-1>\\""}'],
    ["a line of an .env file", "DB_PASSWORD=s3cr3tValue99\n", "DB_PASSWORD=<redacted:key-1>\n"],
  ])("%s", (_name, text, shown) => {
    expect(clean(text)).toBe(shown);
  });

  it.each([
    "the task-list of sk-learn-something-or-other",
    "const token = process.env.API_TOKEN_2;",
    'const apiKey = readKey("production")',
    "password: <redacted>",
    "https://user@example.com/path and http://example.com:8080/a@b",
    "sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "Bearer tokens are explained in the documentation",
    "eyJ is how a token begins",
    "PUBLIC KEY=value",
  ])("leaves %j as it is", (text) => {
    expect(clean(text)).toBe(text);
  });
});

describe("values of the environment", () => {
  const env = {
    ...{
      DEPLOY_TOKEN: "plain words here",
      MY_KEYBOARD: "qwerty-layout",
      SSH_AUTH_SOCK: "/tmp/ssh-abc/agent",
    },
    ...{ SHORT_SECRET: "abc", HOME: "/home/somebody", QUOTED_SECRET: 'with "quotes" in it' },
  };

  it("are told by the variable's name where it says that they are secret", () => {
    expect(clean("plain words here qwerty-layout /tmp/ssh-abc/agent abc /home/somebody", env)).toBe(
      "<redacted:DEPLOY_TOKEN> qwerty-layout /tmp/ssh-abc/agent abc /home/somebody",
    );
  });

  it("are found inside of JSON too", () => {
    expect(clean(JSON.stringify({ old: 'a with "quotes" in it b' }), env)).toBe(
      '{"old":"a <redacted:QUOTED_SECRET> b"}',
    );
  });
});

it("equal secrets have equal placeholders, others have others, and what is longer goes first", () => {
  const [a, b] = [openAi, `${openAi}x1`];
  const secrets = findSecrets([`${b} and ${a}`, `again ${a}`], {});
  expect(replaceSecrets(`${a} ${b} ${a}`, secrets)).toBe(
    "<redacted:key-2> <redacted:key-1> <redacted:key-2>",
  );
});

it("a placeholder needs no escaping, and leaves a text's other parts", () => {
  expect(JSON.stringify(clean(openAi))).toBe('"<redacted:key-1>"');
  expect(aroundPlaceholders("deploy <redacted> with <redacted:key-1> and <redacted:A_B> now")).toEqual([
    "deploy ",
    " with ",
    " and ",
    " now",
  ]);
  expect(aroundPlaceholders("<redacted:key-1>")).toEqual([]);
});

it("does not take long over text that was made for it", () => {
  const texts = ["sk-".repeat(20_000), "a-".repeat(30_000), "KEY".repeat(20_000), "eyJ.".repeat(10_000)];
  expect([...findSecrets([...texts, `Bearer ${"a".repeat(50_000)}`], {})]).toEqual([]);
});
