import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  closedByRule,
  type Permission,
  type PermissionRequest,
  type PermissionSituation,
  permissionModes,
  permit,
  type Rule,
  ruleSchema,
} from "../../src/policy/rules.ts";
import type { TraitName } from "../../src/protocol/proposal.ts";

const free: PermissionSituation = {
  mode: "auto-read",
  rules: [],
  always: new Map(),
  guided: false,
  tainted: false,
};

function command(argv: readonly string[], ...traits: TraitName[]): PermissionRequest {
  return {
    tool: "run_command",
    kind: "effect",
    traits,
    found: [argv],
    programs: [argv],
    paths: [],
    trees: [],
  };
}
const patch = (...paths: string[]): PermissionRequest => ({
  ...{ tool: "apply_patch", kind: "effect", traits: ["writes"], found: [], programs: [], paths, trees: [] },
});
const read: PermissionRequest = { ...patch("a.ts"), tool: "read_file", kind: "read", traits: ["reads"] };
const verdicts = (request: PermissionRequest, over: Partial<PermissionSituation> = {}): string[] =>
  permissionModes.map((mode) => permit(request, { ...free, ...over, mode }).verdict);

describe("modes", () => {
  it.each<[string, PermissionRequest, string[]]>([
    ["a read", read, ["ask", "pass", "pass"]],
    ["a command that reads", command(["ls"], "reads"), ["ask", "pass", "pass"]],
    ["a patch", patch("a.ts"), ["ask", "ask", "pass"]],
    ["a command that writes", command(["mkdir", "x"], "writes"), ["ask", "ask", "pass"]],
    ["project code", command(["node", "a.js"], "runs-project-code"), ["ask", "ask", "ask"]],
    ["a network command", command(["curl", "x"], "network"), ["ask", "ask", "ask"]],
    ["a git write", command(["git", "add", "."], "git-write"), ["ask", "ask", "ask"]],
    ["what destroys", command(["rm", "x"], "destructive"), ["ask", "ask", "ask"]],
    ["what cannot be read", command(["sh", "x"], "opaque"), ["ask", "ask", "ask"]],
    ["a command without traits", command(["x"]), ["ask", "ask", "ask"]],
    ["a plan", { ...patch(), tool: "plan", kind: "plan" }, ["ask", "ask", "ask"]],
    [
      "a page",
      { ...patch(), tool: "web_fetch", traits: ["network"], host: "a.example" },
      ["ask", "ask", "ask"],
    ],
  ])("%s", (_, request, expected) => {
    expect(verdicts(request)).toEqual(expected);
  });

  it("trusted asks for what other programs act on by themselves", () => {
    expect(verdicts(patch("src/a.ts", ".vscode/tasks.json"))).toEqual(["ask", "ask", "ask"]);
  });

  it("guided work asks for everything but reads, whatever allows it", () => {
    const rules: Rule[] = [{ effect: "allow", tool: "*" }];
    const over = { guided: true, rules, always: new Map([["d", 3]]) };
    expect(verdicts({ ...command(["ls"], "reads"), digest: "d" }, over)).toEqual(["ask", "ask", "ask"]);
    expect(verdicts(patch("a.ts"), over)).toEqual(["ask", "ask", "ask"]);
    expect(verdicts(read, over)).toEqual(["pass", "pass", "pass"]);
  });

  it("after text that gives orders nothing above reading passes (TH95)", () => {
    const rules: Rule[] = [{ effect: "allow", tool: "*" }];
    expect(verdicts(patch("a.ts"), { tainted: true, rules })).toEqual(["ask", "ask", "ask"]);
    expect(verdicts(command(["ls"], "reads"), { tainted: true })).toEqual(["ask", "pass", "pass"]);
  });
});

describe("rules", () => {
  const by = (request: PermissionRequest, ...rules: Rule[]): Permission =>
    permit(request, { ...free, rules });

  it("deny wins over ask, ask over allow, and the decision names the rule", () => {
    const allow: Rule = { id: "yes", effect: "allow", tool: "run_command" };
    const ask: Rule = { id: "hm", effect: "ask", tool: "*" };
    const deny: Rule = { effect: "deny", tool: "run_command", argv: ["npm", "**"] };
    const request = command(["npm", "run", "x"], "runs-project-code");
    expect(by(request, allow)).toEqual({ verdict: "pass", by: "rule:yes" });
    expect(by(request, allow, ask)).toEqual({ verdict: "ask", by: "rule:hm" });
    expect(by(request, allow, ask, deny)).toEqual({ verdict: "deny", by: "rule:3" });
  });

  it("match words exactly, one by *, and any rest by **", () => {
    const allows = (pattern: string[], ...argv: string[]): boolean =>
      by(command(argv, "writes"), { effect: "allow", tool: "run_command", argv: pattern }).verdict === "pass";
    expect(allows(["make"], "make")).toBe(true);
    expect(allows(["make"], "make", "all")).toBe(false);
    expect(allows(["make", "*"], "make", "all")).toBe(true);
    expect(allows(["make", "*"], "make", "a", "b")).toBe(false);
    expect(allows(["make", "**"], "make")).toBe(true);
    expect(allows(["make", "**"], "make", "a", "b")).toBe(true);
    expect(allows(["make", "a*"], "make", "all")).toBe(false);
    // Another file of that name is another program.
    expect(allows(["make"], "./make")).toBe(false);
  });

  it("a rule that denies means the program wherever it lies", () => {
    const rule: Rule = { effect: "deny", tool: "*", argv: ["rm", "**"] };
    expect(by(command(["/usr/bin/rm", "-r", "x"], "destructive"), rule).verdict).toBe("deny");
    expect(by(command(["RM.exe", "x"], "opaque"), rule).verdict).toBe("deny");
  });

  it("every part must be allowed; one that is denied is enough, also in text that is not understood", () => {
    const allow: Rule = { effect: "allow", tool: "run_shell", argv: ["make", "**"] };
    const deny: Rule = { effect: "deny", tool: "run_shell", argv: ["curl", "**"] };
    const shell: PermissionRequest = { ...command([], "writes"), tool: "run_shell" };
    const two = [["make"], ["touch", "x"]];
    expect(by({ ...shell, found: two, programs: two }, allow).verdict).toBe("ask");
    const unread = { ...shell, traits: ["opaque" as const], found: [["curl", "x"]], programs: null };
    expect(by(unread, allow).verdict).toBe("ask");
    expect(by(unread, deny).verdict).toBe("deny");
    expect(by({ ...unread, traits: ["writes"] }, { effect: "allow", tool: "*" }).verdict).toBe("ask");
  });

  it("by path: every path must be allowed, one denied is enough", () => {
    const allow: Rule = { effect: "allow", tool: "apply_patch", path: "docs/**" };
    const deny: Rule = { effect: "deny", tool: "*", path: "**/*.lock" };
    expect(by(patch("docs/a.md", "docs/b/c.md"), allow).verdict).toBe("pass");
    expect(by(patch("docs/a.md", "src/a.ts"), allow).verdict).toBe("ask");
    expect(by(patch("docs/a.lock"), allow, deny).verdict).toBe("deny");
    expect(by(patch("a.lock"), deny).verdict).toBe("deny");
    expect(by({ ...read, paths: ["x/y.lock"] }, deny).verdict).toBe("deny");
  });

  it("by path: commands and searches, as far as their words tell", () => {
    const deny: Rule = { effect: "deny", tool: "*", path: "private/**" };
    const ask: Rule = { effect: "ask", tool: "*", path: "private/**" };
    const cat = { ...command(["cat", "private/a"], "reads"), paths: ["private/a"] };
    const search: PermissionRequest = { ...read, tool: "search_text", paths: ["."], trees: ["."] };
    expect(by(cat, deny).verdict).toBe("deny");
    expect(by(search, ask).verdict).toBe("ask");
    expect(by({ ...search, paths: ["src"], trees: ["src"] }, ask).verdict).toBe("pass");
    expect(by({ ...search, paths: ["private"], trees: ["private"] }, ask).verdict).toBe("ask");
    // What a rule for every tool denies is closed one file at a time, so a search goes on without it.
    expect(by(search, deny).verdict).toBe("pass");
    expect(by(search, { ...deny, tool: "search_text" }).verdict).toBe("deny");
    expect(closedByRule([ask, deny], "private/a/b")).toBe("rule:2");
    expect(closedByRule([ask, deny], "src/private.ts")).toBeNull();
  });

  it("one that narrows allows only what it can be held against", () => {
    const rules: Rule[] = [
      { effect: "allow", tool: "*", path: "src/**" },
      { effect: "allow", tool: "*", host: "a.example" },
    ];
    const verdict = (request: PermissionRequest): string => by(request, ...rules).verdict;
    expect(verdict({ ...command(["touch", "src/a"], "writes"), paths: ["src/a"] })).toBe("pass");
    expect(
      verdict({ ...command(["cp", "-r", "src", "x"], "writes"), paths: ["src/x"], trees: ["src"] }),
    ).toBe("pass");
    expect(verdict({ ...command(["cp", "-r", ".", "x"], "writes"), paths: ["src/x"], trees: ["."] })).toBe(
      "ask",
    );
    expect(verdict(command(["npm", "test"], "runs-project-code"))).toBe("ask");
    expect(verdict({ ...command(["node", "src/a"], "runs-project-code"), paths: ["src/a"] })).toBe("ask");
    expect(verdict({ ...patch(), tool: "run_check", traits: ["runs-project-code"] })).toBe("ask");
  });

  it("by host, at a dot (TH93)", () => {
    const allow: Rule = { effect: "allow", tool: "web_fetch", host: "docs.python.org" };
    const fetch = (host: string): string =>
      by({ ...patch(), tool: "web_fetch", traits: ["network"], host }, allow).verdict;
    expect(fetch("docs.python.org")).toBe("pass");
    expect(fetch("a.docs.python.org")).toBe("pass");
    expect(fetch("docs.python.org.evil.com")).toBe("ask");
    expect(fetch("evildocs.python.org")).toBe("ask");
    // A page needs a rule that names its host.
    expect(
      by({ ...patch(), tool: "web_fetch", traits: ["network"], host: "a.b" }, { effect: "allow", tool: "*" })
        .verdict,
    ).toBe("ask");
  });

  it("RUN always passes the same digest and nothing that is opaque or destructive", () => {
    const over = { ...free, always: new Map([["d", 7]]) };
    expect(permit({ ...command(["make"], "runs-project-code"), digest: "d" }, over)).toEqual({
      ...{ verdict: "pass", by: "rule:always-7" },
    });
    expect(permit({ ...command(["make"], "runs-project-code"), digest: "e" }, over).verdict).toBe("ask");
    expect(permit({ ...command(["rm"], "destructive"), digest: "d" }, over).verdict).toBe("ask");
  });

  it("are refused when they are no rules", () => {
    expect(ruleSchema.safeParse({ effect: "allow", tool: "x", argv: ["**"] }).success).toBe(false);
    expect(ruleSchema.safeParse({ effect: "allow", tool: "x", agrv: ["a"] }).success).toBe(false);
    expect(ruleSchema.safeParse({ effect: "allow", tool: "x", id: "a b" }).success).toBe(false);
  });
});

describe("for any request", () => {
  const word = fc.constantFrom("ls", "rm", "npm", "a", "*", "**");
  const traitNames: TraitName[] = [
    ...(["reads", "writes", "git-write", "network", "runs-project-code", "destructive", "opaque"] as const),
  ];
  const trait = fc.constantFrom<TraitName>(...traitNames);
  const argv = fc.array(word, { minLength: 1, maxLength: 3 });
  const request: fc.Arbitrary<PermissionRequest> = fc.record({
    tool: fc.constantFrom("run_command", "apply_patch", "read_file"),
    kind: fc.constantFrom("read" as const, "effect" as const, "plan" as const),
    traits: fc.uniqueArray(trait),
    found: fc.array(argv, { maxLength: 2 }),
    programs: fc.option(fc.array(argv, { maxLength: 2 })),
    paths: fc.array(fc.constantFrom("a", "b/c"), { maxLength: 2 }),
    trees: fc.array(fc.constantFrom(".", "b"), { maxLength: 2 }),
    digest: fc.constantFrom("d", "e"),
  });
  const rule: fc.Arbitrary<Rule> = fc.record(
    {
      effect: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
      tool: fc.constantFrom("*", "run_command", "apply_patch"),
      argv: argv,
      path: fc.constantFrom("a", "b/*", "**"),
    },
    { requiredKeys: ["effect", "tool"] },
  );
  const situation: fc.Arbitrary<PermissionSituation> = fc.record({
    mode: fc.constantFrom(...permissionModes),
    rules: fc.array(rule, { maxLength: 4 }),
    always: fc.constantFrom(new Map<string, number>(), new Map([["d", 1]])),
    guided: fc.boolean(),
    tainted: fc.boolean(),
  });
  const rank = { pass: 0, ask: 1, deny: 2 };
  const gravity = (r: PermissionRequest, s: PermissionSituation): number => rank[permit(r, s).verdict];
  const runs = { numRuns: 2_000 };

  it("a rule that denies or asks never loosens", () => {
    fc.assert(
      fc.property(request, situation, rule, (r, s, more) => {
        if (more.effect === "allow") return;
        expect(gravity(r, { ...s, rules: [...s.rules, more] })).toBeGreaterThanOrEqual(gravity(r, s));
      }),
      runs,
    );
  });

  it("a trait more, text that gives orders, and guided work never loosen", () => {
    fc.assert(
      fc.property(request, situation, trait, (r, s, more) => {
        if (r.traits.length > 0)
          expect(gravity({ ...r, traits: [...r.traits, more] }, s)).toBeGreaterThanOrEqual(gravity(r, s));
        expect(gravity(r, { ...s, tainted: true })).toBeGreaterThanOrEqual(
          gravity(r, { ...s, tainted: false }),
        );
        if (r.kind !== "read")
          expect(gravity(r, { ...s, guided: true })).toBeGreaterThanOrEqual(
            gravity(r, { ...s, guided: false }),
          );
      }),
      runs,
    );
  });

  it("a looser mode never tightens, and effects that are opaque or destructive never pass", () => {
    fc.assert(
      fc.property(request, situation, (r, s) => {
        const [ask = 0, autoRead = 0, trusted = 0] = permissionModes.map((mode) =>
          gravity(r, { ...s, mode }),
        );
        expect(ask).toBeGreaterThanOrEqual(autoRead);
        expect(autoRead).toBeGreaterThanOrEqual(trusted);
        const grave = r.traits.includes("opaque") || r.traits.includes("destructive");
        if (grave && r.kind === "effect") expect(gravity(r, s)).toBeGreaterThan(0);
      }),
      runs,
    );
  });
});
