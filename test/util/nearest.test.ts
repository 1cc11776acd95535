import { expect, test } from "vitest";
import { nearest } from "../../src/util/nearest.ts";

const flags = ["profile", "mode", "model", "max-steps", "guided", "workspace", "yes", "no"];

test.each([
  ["profle", "profile"],
  ["porfile", "profile"],
  ["Profile", "profile"],
  ["mod", "mode"],
  ["modle", "mode"],
  ["moddel", "model"],
  ["work", "workspace"],
  ["maxsteps", "max-steps"],
  ["giuded", "guided"],
  ["guided-mode", "guided"],
  ["ys", "yes"],
  ["colour", undefined],
  ["xy", undefined],
  ["", undefined],
  ["q", undefined],
])("%j means %j", (word, expected) => {
  expect(nearest(word, flags)).toBe(expected);
});

test("the nearer one wins, of equals the first", () => {
  expect(nearest("rea", ["reads", "read"])).toBe("reads");
  expect(nearest("cat", ["car", "cats"])).toBe("car");
  expect(nearest("abcd", ["abdc", "abxy"])).toBe("abdc");
});
