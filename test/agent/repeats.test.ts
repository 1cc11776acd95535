// Loops of one or two calls, whatever the order of their keys (case M03).
import { describe, expect, it } from "vitest";
import { isLoop, signatureOf } from "../../src/agent/repeats.ts";

const sig = (args: string): string => signatureOf({ id: "1", name: "read_file", arguments: args });

describe("signatures", () => {
  it("do not depend on the order of keys", () => {
    expect(sig('{"a":1,"b":2}')).toBe(sig('{"b":2,"a":1}'));
  });
  it("tell different arguments apart, broken ones too", () => {
    expect(sig('{"a":1}')).not.toBe(sig('{"a":2}'));
    expect(sig("{")).not.toBe(sig("{{"));
  });
});

describe("loops", () => {
  it.each([
    ["aaaa", false],
    ["aaaaa", true],
    ["baaaaa", true],
    ["aaaab", false],
    ["abababab", false],
    ["ababababab", true],
    ["abcabcabcabcabc", false],
  ])("%s is a loop: %s", (calls, expected) => {
    expect(isLoop([...calls])).toBe(expected);
  });
});
