// What is shown of a server's words, for any words and any key: one short line without key, tag or control character.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shownLine, withoutKey } from "../../src/model/error-text.ts";
import { reportedFailure, type Server, statusFailure, thrownFailure } from "../../src/model/failure.ts";

const server = (apiKey: string | undefined): Server => ({
  label: "Test server",
  baseUrl: "https://api.test/v1",
  model: "m-1",
  apiKey,
  apiKeyEnv: "TEST_KEY",
});

const keys = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 4,
    maxLength: 80,
  })
  // A key that is a part of our own words cannot be told from them.
  .filter((key) => /^(?=.*[a-z])(?=.*[0-9])/.test(key) && !"[redacted]".includes(key));

/** Words of a server around what it echoes of a key. */
const bodies = (key: string) => {
  const echoes = [
    key,
    `Bearer ${key}`,
    encodeURIComponent(key),
    Buffer.from(key).toString("base64"),
    Buffer.from(`user:${key}`).toString("base64"),
    Buffer.from(`${key}:`).toString("base64url"),
    JSON.stringify(key),
  ];
  const piece = fc.oneof(
    fc.constantFrom(...echoes),
    fc.constantFrom(
      "<p>",
      "</p>",
      "<",
      ">",
      "<b",
      "<!--",
      "-->",
      "<script>",
      "\u001b[31m",
      "\u0000",
      "\u009b",
    ),
    fc.constantFrom(
      "\u202e",
      "\u200b",
      "\ufeff",
      "\ud800",
      "\n",
      "é",
      "漢",
      "👩‍👧",
      " ",
      "…",
      "x".repeat(150),
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
  return fc.oneof(
    text,
    text.map((message) => JSON.stringify({ error: { message, code: "x" } })),
    text.map((detail) => JSON.stringify({ detail: [{ msg: detail }] })),
  );
};

const cases = fc
  .oneof(keys, fc.constantFrom("sk-abc123", "a1b2", "k/+=9<b>"))
  .chain((key) => fc.tuple(fc.constant(key), bodies(key)));

function expectShown(message: string, key: string): void {
  expect(message.length).toBeLessThanOrEqual(200);
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  expect(message).not.toMatch(/<[a-z/!?]/i);
  expect(message).not.toContain(key);
  expect(message).not.toContain(Buffer.from(key).toString("base64"));
}

describe("for any body and any key", () => {
  test("an answer that is a refusal", () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 300, max: 599 }), ([key, body], status) => {
        const error = statusFailure(server(key), status, body, new Headers());
        expectShown(error.message, key);
        expect(error.message).toMatch(new RegExp(`^Test server answered ${status}`));
        expect(error.hint).not.toContain(key);
      }),
      { numRuns: 1_000 },
    );
  });

  test("an error reported in the stream, and one that was thrown", () => {
    fc.assert(
      fc.property(cases, ([key, body]) => {
        expectShown(reportedFailure(server(key), { message: body }).message, key);
        expectShown(thrownFailure(server(key), new Error(body)).message, key);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("keys", () => {
  const key = "sk-proj-Zm9vYmFy0123456789";
  test.each([
    ["whole", key],
    ["in a header", `Authorization: Bearer ${key}`],
    ["cut short", `${key.slice(0, 14)}…`],
    ["its end", `…${key.slice(-9)}`],
    ["in base64", Buffer.from(key).toString("base64")],
    ["in base64 behind one character", Buffer.from(`:${key}`).toString("base64")],
    ["in base64 behind two characters", Buffer.from(`a:${key}`).toString("base64")],
    ["in a URL's base64", Buffer.from(`${key}>>>???`).toString("base64url")],
    ["around a tag", `${key.slice(0, 12)}<b>${key.slice(12)}</b>`],
    ["around invisible characters", `${key.slice(0, 4)}\u200b${key.slice(4)}`],
  ])("%s", (_, echoed) => {
    const line = shownLine(`wrong key ${echoed} given`, key);
    expect(line).toMatch(/^wrong key .*\[redacted\].* given$/);
    for (const part of [key.slice(0, 8), key.slice(-8), Buffer.from(key).toString("base64").slice(4, 16)]) {
      expect(line).not.toContain(part);
    }
  });

  test("other words stay as they are, and so does everything where a key is a mere placeholder", () => {
    expect(withoutKey("the model said sk- and no more", key)).toBe("the model said sk- and no more");
    expect(withoutKey("an ox", "x")).toBe("an ox");
    expect(withoutKey("ok", undefined)).toBe("ok");
  });
});

test("a long line is cut at the end of a character", () => {
  const line = shownLine(`${"a".repeat(198)}😀😀`, undefined);
  expect(line).toBe(`${"a".repeat(198)}…`);
});
