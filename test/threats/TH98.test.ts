// A page in the place of an answer is an error with its first words, not an answer.
import { describe, expect, it } from "vitest";
import { head } from "../helpers/raw-server.ts";
import { ask } from "../model/ask.ts";

const page = `<!doctype html><html><head><title>Sign in</title></head><body><h1>Corporate proxy: please sign in</h1>${"<p>x</p>".repeat(2_000)}</body></html>`;

describe("TH98 200 and no answer", () => {
  it.each([
    ["a login page", head(200, { "content-type": "text/html" }), page],
    ["the same said to be a stream", head(200, { "content-type": "text/event-stream" }), page],
    ["plain words", head(200, { "content-type": "text/plain" }), "Service moved\n"],
    ["other JSON", head(200, { "content-type": "application/json" }), '{"status":"ok"}'],
  ])("%s", async (_, headers, body) => {
    const { error, events } = await ask([headers, body]);
    expect(error?.kind).toMatch(/invalid_response|incomplete|server/);
    expect(error?.message.length).toBeLessThan(400);
    expect(error?.message).not.toMatch(/<[a-z]/);
    expect(events.filter(({ type }) => type === "tool_call" || type === "done")).toEqual([]);
  });

  it("says whose page it is", async () => {
    const { error } = await ask([head(200, { "content-type": "text/html" }), page]);
    expect(error?.message).toContain("Corporate proxy");
  });
});
