// A backslash before CR LF joins nothing in bash: the next line is a command.
import { describe, expect, it } from "vitest";
import { alwaysAsks, inBash, seen } from "./shell.ts";

describe("TH06 a continued line with CR", () => {
  it("is two commands to bash", async () => {
    expect(await inBash("ls \\\r\nrm x")).toEqual(["ls", "rm"]);
  });

  it.each(["ls \\\r\nrm x", "ls \\\nrm x", "ls\r\nrm x", "l\\\ns"])("%j always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it("a deny rule sees the rm", () => {
    expect(seen("ls \\\r\nrm x").class).toBe("destructive");
  });
});
