// What a wrapper starts counts as much as what is started plainly; a wrapper itself is never harmless.
import { describe, expect, it } from "vitest";
import { classifyArgv } from "../../src/policy/command.ts";
import { classOf } from "../../src/policy/command-class.ts";
import { alwaysAsks, seen } from "./shell.ts";

describe("TH14 wrappers", () => {
  it.each([
    "env ./x",
    "command ./x",
    "timeout 5 rm x",
    "xargs -a f ./x",
    "nice rm x",
    "sudo rm x",
    "nohup ./x",
    "exec ./x",
    "env -S 'rm x'",
  ])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it.each(["timeout 5 rm x", "nice rm x", "sudo rm x", "env A=1 nice timeout 5 rm x", "xargs rm"])(
    "%s destroys, and says so",
    (text) => {
      expect(seen(text).class).toBe("destructive");
      expect(classOf(classifyArgv(text.split(" ")))).toBe("destructive");
    },
  );
});
