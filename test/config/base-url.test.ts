// The URL policy: https, or http on this machine.
import { expect, test } from "vitest";
import { checkBaseUrl } from "../../src/config/base-url.ts";

test.each([
  ["https://api.test/v1", "https://api.test/v1"],
  ["https://api.test/v1//", "https://api.test/v1"],
  ["https://API.test", "https://api.test"],
  ["http://localhost:1234/v1", "http://localhost:1234/v1"],
  ["http://127.0.0.1/v1", "http://127.0.0.1/v1"],
  ["http://127.1/v1", "http://127.0.0.1/v1"],
  ["http://[::1]:80/v1", "http://[::1]/v1"],
])("%s", (input, url) => {
  expect(checkBaseUrl(input, {})).toEqual({ ok: true, url });
});

test.each([
  ["", "is not a URL"],
  ["api.test/v1", "is not a URL"],
  ["ftp://api.test", "must begin with"],
  ["file:///etc/passwd", "must begin with"],
  ["https://user@api.test", "user name"],
  ["https://u:pass@api.test", "user name"],
  ["https://api.test/v1?key=1", "query"],
  ["https://api.test/v1?", "query"],
  ["https://api.test/v1#a", "fragment"],
  ["https://api.test/v1#", "fragment"],
  ["http://api.test/v1", "plain http"],
  ["http://localhost.evil.test/v1", "plain http"],
  ["http://127.0.0.1.evil.test/v1", "plain http"],
  ["http://0.0.0.0:8000/v1", "names no machine"],
  ["http://[::]:8000/v1", "names no machine"],
])("%s is refused", (input, why) => {
  expect(checkBaseUrl(input, {})).toMatchObject({ ok: false, why: expect.stringContaining(why) });
});

test("plain http elsewhere needs exactly 1", () => {
  const check = (value: string) =>
    checkBaseUrl("http://api.test", { MINICODE_ALLOW_INSECURE_HTTP: value }).ok;
  expect(["1", "true", "01", "1 ", ""].map(check)).toEqual([true, false, false, false, false]);
});
