// A profile's headers beside ours.
import { expect, test } from "vitest";
import { requestHeaders } from "../../src/model/request-headers.ts";

test("a profile's header takes the place of ours, however it is written", () => {
  const ours = { accept: "application/json", authorization: "Bearer key" };
  expect(requestHeaders(ours)).toEqual({ ...ours, "user-agent": "minicode" });
  expect(requestHeaders(ours, { "User-Agent": "gateway/1", ACCEPT: "*/*", "X-Team": "a" })).toEqual({
    accept: "*/*",
    authorization: "Bearer key",
    "user-agent": "gateway/1",
    "x-team": "a",
  });
});
