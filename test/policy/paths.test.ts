import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePath } from "../../src/policy/paths.ts";

const root = "/tmp/mc/repo";
const home = "/tmp/mc/home";
const parse = (input: string) => parsePath(input, root, home);

describe("parsePath", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    ["src/../src/a.ts", "src/a.ts"],
    ["src/", "src"],
    [".", "."],
    ["./", "."],
    ["/tmp/mc/repo", "."],
    ["/tmp/mc/repo/", "."],
    ["/tmp/mc/repo/src/a.ts", "src/a.ts"],
    ["../repo/a", "a"],
    ["..a", "..a"],
    ["...", "..."],
    ["a\\b", "a\\b"],
    ["C:\\x", "C:\\x"],
    ["a b", "a b"],
    ["~a", "~a"],
    ["a/~/b", "a/~/b"],
    ["$HOMEx/a", "$HOMEx/a"],
  ])("takes %j as %j", (input, path) => {
    expect(parse(input)).toEqual({ ok: true, value: path });
  });

  it.each([
    ["../repo-evil/s.txt", "/tmp/mc/repo-evil/s.txt"],
    ["/tmp/mc/repo-evil/s.txt", "/tmp/mc/repo-evil/s.txt"],
    ["src/../../repo-evil/s.txt", "/tmp/mc/repo-evil/s.txt"],
    ["..", "/tmp/mc"],
    ["/", "/"],
    ["/etc/passwd", "/etc/passwd"],
    ["~", "/tmp/mc/home"],
    ["~/mc-tilde.txt", "/tmp/mc/home/mc-tilde.txt"],
    ["$HOME/x", "/tmp/mc/home/x"],
    ["$" + "{HOME}/x", "/tmp/mc/home/x"],
    ["~root/.bashrc", "~root/.bashrc"],
  ])("P01 P03: refuses %j as outside, and shows %j", (input, shown) => {
    const parsed = parse(input);
    expect(parsed.ok ? null : parsed.refusal.outcome).toBe("blocked");
    expect(parsed.ok ? null : parsed.refusal.message).toContain(`${shown} is outside the workspace`);
  });

  it("takes ~ when home is inside the workspace", () => {
    expect(parsePath("~/a", "/home", "/home/u")).toEqual({ ok: true, value: "u/a" });
  });

  it("does not read $ patterns of the home folder's name", () => {
    expect(parsePath("~/a", "/h", "/h/$&$1")).toEqual({ ok: true, value: "$&$1/a" });
  });

  it.each(["./~/x", "/tmp/mc/repo/~/x", "./$HOME/x"])("never makes a folder named ~: %j", (input) => {
    const parsed = parse(input);
    expect(parsed.ok ? null : parsed.refusal.outcome).toBe("blocked");
  });

  it.each(["", "  ", "a\0b", "\0"])("refuses %j as no path", (input) => {
    const parsed = parse(input);
    expect(parsed.ok ? null : parsed.refusal.outcome).toBe("invalid");
  });

  it("never leaves the root, and a workspace path parses to itself", () => {
    const part = fc.oneof(
      fc.constantFrom("..", ".", "", "~", "repo", "repo-evil", "a", "$HOME"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, absolute) => {
        const parsed = parse((absolute ? "/tmp/mc/" : "") + parts.join("/"));
        if (!parsed.ok) return;
        expect(parsed.value).not.toMatch(/^\/|(^|\/)\.\.(\/|$)|\0|.\/$/);
        expect(parse(parsed.value)).toEqual(parsed);
      }),
      { numRuns: 1000 },
    );
  });
});
