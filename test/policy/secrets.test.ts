import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environmentSecrets, redactorFor } from "../../src/policy/secrets.ts";

const key = 'sk-Te5t"Key/with+odd=chars-0123';

describe("a known key", () => {
  const redact = redactorFor([key]);

  it.each<[string, string]>([
    ["as it is", key],
    ["URL-encoded", encodeURIComponent(key)],
    ["URL-encoded in small letters", encodeURIComponent(key).replace(/%../g, (c) => c.toLowerCase())],
    ["in JSON", JSON.stringify({ key }).slice(7, -1)],
    ["in hex", Buffer.from(key).toString("hex")],
    ["in HEX", Buffer.from(key).toString("hex").toUpperCase()],
  ])("%s", (_, form) => {
    expect(redact.text(`before ${form} after`)).not.toContain(form.slice(2, -2));
    expect(redact.bytes(Buffer.from(`x${form}y`)).toString()).not.toContain(form);
  });

  it.each(["", "a", "ab", "user:"])("in base64 behind %j", (before) => {
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(`${before}${key} and more`).toString(encoding);
      const clean = redact.text(encoded);
      expect(clean).toContain("<redacted>");
      expect(Buffer.from(clean.split("<redacted>")[0] ?? "", encoding).toString()).not.toContain(
        key.slice(0, 6),
      );
      expect(clean.length).toBeLessThan(encoded.length);
    }
  });

  it("leaves all else alone, bytes of any kind too", () => {
    const bytes = Buffer.from([0, 255, 128, 10, 13, 7]);
    expect(redact.bytes(bytes)).toBe(bytes);
    expect(redact.text("nothing here")).toBe("nothing here");
    expect(redactorFor([undefined, "abc"]).text("abc")).toBe("abc");
  });
});

describe("a key that comes in pieces", () => {
  const part = fc.constantFrom("s", "k", "-", "sk-", "abc", "\n", "x", "sk-aaaaaa", "aaaaaa-sk");
  const keys = fc.uniqueArray(
    fc.array(fc.constantFrom("a", "b", "k", "-"), { minLength: 6, maxLength: 12 }).map((c) => c.join("")),
    { minLength: 1, maxLength: 3 },
  );

  it("never shows, whatever it is cut into, and the rest comes out whole", () => {
    fc.assert(
      fc.property(
        keys,
        fc.array(fc.oneof(part, fc.nat(2)), { maxLength: 12 }),
        fc.array(fc.nat(20), { maxLength: 12 }),
        (secrets, words, cuts) => {
          const text = words
            .map((w) => (typeof w === "number" ? (secrets[w % secrets.length] ?? "") : w))
            .join("");
          const redact = redactorFor(secrets);
          const stream = redact.stream();
          let out = "";
          let at = 0;
          for (const cut of cuts) {
            out += stream.push(text.slice(at, at + cut));
            at += cut;
            for (const secret of secrets) expect(out).not.toContain(secret);
          }
          out += stream.push(text.slice(at)) + stream.end();
          expect(out).toBe(redact.text(text));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("ordinary text is not kept back", () => {
    const stream = redactorFor([key]).stream();
    expect(stream.push("hello wor")).toBe("hello wor");
    expect(stream.push("ld s")).toBe("ld ");
    expect(stream.push("o")).toBe("so");
    expect(stream.end()).toBe("");
  });

  it("half of one at the end is shown: it was none", () => {
    const stream = redactorFor([key]).stream();
    expect(stream.push("a sk-Te")).toBe("a ");
    expect(stream.end()).toBe("sk-Te");
  });
});

describe("an environment's secrets", () => {
  it.each<[string, string, boolean]>([
    ["OPENAI_API_KEY", "sk-abc123def456", true],
    ["GITHUB_TOKEN", "ghp_0123456789", true],
    ["DB_PASSWORD", "hunter2hunter2", true],
    ["MY_SECRET", "correct-horse-battery", true],
    ["NPM_AUTH", "abc123abc123", true],
    ["SSH_AUTH_SOCK", "/tmp/ssh-abc/agent.1", false],
    ["AWS_ACCESS_KEY_ID", "AKIA0123456789ABCDEF", false],
    ["SECRET_FILE", "secret-file-1.txt", false],
    ["KEYBOARD", "us-international-1", false],
    ["MONKEY", "banana-12345678", false],
    ["PASSWORD", "postgres", false],
    ["TOKEN", "short1", false],
    ["AUTH_TOKEN", "12345678", false],
    ["PATH", "/usr/bin:/bin", false],
  ])("%s=%s: %s", (name, value, secret) => {
    expect(environmentSecrets({ [name]: value })).toEqual(secret ? [value] : []);
  });
});

it("a megabyte takes no time to speak of", () => {
  const redact = redactorFor([key, "another-key-0123456789", "third_key_abcdefghijk"]);
  const text = "const a = 'sk-Te';\n".repeat(55_000);
  const start = performance.now();
  expect(redact.text(text)).toBe(text);
  console.info(
    `redactor: ${(text.length / 1e6).toFixed(2)} MB in ${(performance.now() - start).toFixed(0)} ms`,
  );
});
