// Which proxy a URL is asked through, by the variables alone.
import { expect, test } from "vitest";
import { proxyFor } from "../../src/model/proxy.ts";

const both = { HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "http://plain:2" };
const origin = (url: string, env: NodeJS.ProcessEnv) => proxyFor(url, env)?.origin;

test("https and http have a variable each, and one does not stand for the other", () => {
  expect(proxyFor("https://api.test/v1", both)).toEqual({
    variable: "HTTPS_PROXY",
    origin: "http://secure:1",
    authorization: undefined,
  });
  expect(origin("http://api.test/v1", both)).toBe("http://plain:2");
  expect(origin("https://api.test/v1", { HTTP_PROXY: "http://plain:2" })).toBeUndefined();
});

test("small letters come first, and a blank value is none", () => {
  expect(origin("https://api.test", { ...both, https_proxy: "http://small:3" })).toBe("http://small:3");
  expect(origin("https://api.test", { ...both, https_proxy: " " })).toBe("http://secure:1");
  expect(origin("https://api.test", { HTTPS_PROXY: "" })).toBeUndefined();
});

test("the address may do without its scheme, and its credentials are kept apart", () => {
  expect(origin("https://api.test", { HTTPS_PROXY: "proxy.test:3128" })).toBe("http://proxy.test:3128");
  const proxy = proxyFor("https://api.test", { HTTPS_PROXY: "https://me:p%40ss%zz@proxy.test" });
  expect(proxy?.origin).toBe("https://proxy.test");
  expect(proxy?.authorization).toBe(`Basic ${Buffer.from("me:p%40ss%zz").toString("base64")}`);
  const escaped = proxyFor("https://api.test", { HTTPS_PROXY: "http://me:p%40ss@proxy.test" });
  expect(escaped?.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
});

test.each(["socks5://proxy.test:1080", "http://", "://", "http://proxy.test:port"])(
  "%s is no address of an HTTP proxy",
  (value) => {
    expect(proxyFor("https://api.test", { HTTPS_PROXY: value })).toEqual({
      variable: "HTTPS_PROXY",
      origin: undefined,
      authorization: undefined,
    });
  },
);

test.each(["https://localhost/v1", "http://127.0.0.1:11434/v1", "http://[::1]:8080", "http://a.localhost"])(
  "%s is never asked through a proxy",
  (url) => {
    expect(proxyFor(url, both)).toBeUndefined();
  },
);

test.each([
  ["*", true],
  ["api.test", true],
  ["API.TEST", true],
  [".test", true],
  ["*.test", true],
  ["test", true],
  ["other, api.test", true],
  ["other api.test", true],
  ["api.test:443", true],
  ["api.test:8443", false],
  ["pi.test", false],
  ["api", false],
  ["xapi.test", false],
  ["", false],
])("NO_PROXY=%s", (value, direct) => {
  for (const name of ["NO_PROXY", "no_proxy"]) {
    expect(proxyFor("https://api.test/v1", { ...both, [name]: value }) === undefined).toBe(direct);
  }
});

test("NO_PROXY may name an IPv6 address, with its port or without", () => {
  for (const [value, direct] of [
    ["[fd00::1]", true],
    ["fd00::1", true],
    ["[fd00::1]:443", true],
    ["[fd00::1]:80", false],
    ["fd00::2", false],
  ] as const) {
    expect(proxyFor("https://[fd00::1]/v1", { ...both, NO_PROXY: value }) === undefined).toBe(direct);
  }
});
