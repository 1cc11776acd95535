// A rule for a host means that host and those below it at a dot. limit: none known.
import { describe, expect, it } from "vitest";
import { hostOf, publicUrl } from "../../src/policy/address.ts";
import { permit } from "../../src/policy/rules.ts";

function verdict(url: string): string {
  const read = publicUrl(url);
  if (!read.ok) return "refused";
  const rules = [{ effect: "allow", tool: "web_fetch", host: "docs.python.org" } as const];
  const request = {
    tool: "web_fetch",
    kind: "effect",
    traits: ["network"],
    found: [],
    programs: [],
    paths: [],
    trees: [],
  } as const;
  const situation = {
    mode: "auto-read",
    rules,
    always: new Map(),
    guided: false,
    tainted: false,
  } as const;
  return permit({ ...request, host: hostOf(read.value) }, situation).verdict;
}

describe("TH93 an allowed host and those that look like it", () => {
  it.each([
    ["https://docs.python.org/3/", "pass"],
    ["https://DOCS.python.org/", "pass"],
    ["https://a.docs.python.org/", "pass"],
    ["https://docs.python.org.evil.com/", "ask"],
    ["https://evildocs.python.org/", "ask"],
    ["https://docs.python.org./", "pass"],
    ["https://python.org/", "ask"],
    ["https://docs.python.org@evil.com/", "refused"],
    ["https://x\u0000.docs.python.org/", "refused"],
    ["https://docs.pythön.org/", "ask"],
    ["https://evil.com/?docs.python.org", "ask"],
    ["https://evil.com/#docs.python.org", "ask"],
  ])("%j: %s", (url, expected) => {
    expect(verdict(url)).toBe(expected);
  });
});
