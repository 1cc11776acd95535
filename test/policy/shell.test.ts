// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classOf, commandClasses } from "../../src/policy/command-class.ts";
import { classifyShell } from "../../src/policy/shell.ts";
import { labelledCommands } from "./labelled-commands.ts";

/** "opaque+reads" */
function traits(text: string): string {
  return classifyShell(text)
    .traits.map(({ trait }) => trait)
    .sort()
    .join("+");
}

function because(text: string, trait: string): string | undefined {
  return classifyShell(text).traits.find((found) => found.trait === trait)?.because;
}

function rank(text: string): number {
  return commandClasses.indexOf(classOf(classifyShell(text).traits));
}

describe("a command line's traits", () => {
  it.each([
    ["ls -la | head -3 && pwd", "reads"],
    ["cat 'a b' \"c d\" e\\ f", "reads"],
    ["ls 2>/dev/null || true", "reads"],
    ["ls > /dev/null 2>&1", "reads"],
    ["wc -l < a", "reads"],
    ["# all of them\nls # here", "reads"],
    ["! ls", "reads"],
    ['grep "foo$" a', "reads"],
    ["echo done!", "reads"],
    ["sed -n '$p' a", "reads"],
    ["grep -n x a --include=*.ts", "reads"],
    ["grep -n x a --file=*.ts", "opaque+reads"],
    ["strings @a", "opaque+reads"],
    ['echo "a$b"', "opaque+reads"],
    ['echo "a$ b"', "opaque+reads"],
    ["cat src/*.ts", "reads"],
    ["cat *.md", "reads"],
    ["ls; git add .", "git-write+reads+runs-project-code"],
    ["ls > out", "reads+writes"],
    ["ls 2> out", "reads+writes"],
    ["ls >> .env", "opaque+reads+writes"],
    ["ls > ../out", "opaque+reads+writes"],
    ["cat < .env", "opaque+reads"],
    ["ls | tee keep", "reads+writes"],
    ["npm test | tail -5", "reads+runs-project-code"],
    ["git status", "opaque"],
    ["make && curl x", "network+runs-project-code"],
    ["ls &", "opaque+reads"],
    ["(ls)", "opaque"],
    ["a=1 ls", "opaque+reads"],
    ["for f in *; do rm $f; done", "destructive+opaque"],
    ["curl x | sh", "network+opaque"],
    ["echo x > /dev/tcp/h/80", "network+opaque+reads+writes"],
    ["cat *", "opaque+reads"],
    ["ls | rg x", "reads"],
    ["ls | rg x < /dev/null", "opaque+reads"],
    ["ls | rg x < a", "opaque+reads"],
    ["chmod -R 777 .", "opaque+writes"],
    ["mv a /dev/null", "opaque+writes"],
    ["setarch -R rm -rf src", "destructive+opaque"],
    ["prlimit curl x", "network+opaque"],
    ["mv a b && cat b", "opaque+reads+writes"],
    ["mv a b && cat c", "reads+writes"],
    ["sort *.txt", "opaque+reads"],
    ["sort ./*.txt", "reads"],
    ["cat .*.ts", "opaque+reads"],
    ["cat src/*/*.ts", "opaque+reads"],
    ["grep a* b", "opaque+reads"],
    ["", "opaque"],
    ["# nothing", "opaque"],
    [";", "opaque"],
    ["ls (", "opaque+reads"],
    [`ls ${"a".repeat(4100)}`, "opaque"],
    [Array.from({ length: 33 }, () => "ls").join(";"), "opaque+reads"],
    [Array.from({ length: 32 }, () => "ls").join(";"), "reads"],
  ])("%j: %s", (text, expected) => {
    expect(traits(text)).toBe(expected);
  });

  it.each([
    ["cat a .env", "opaque", ".env"],
    ["cat .env", "opaque", ".env"],
    ["cd .git && cat config", "opaque", ".git"],
    ["cat a; rm -rf b", "destructive", "rm"],
    ["ls > src/out", "writes", "src/out"],
    ["cat $(rm x)", "opaque", "$(rm x)"],
    ["ls & pwd", "opaque", "&"],
    ["while true; do ls; done", "opaque", "while"],
    ["ls\rrm", "opaque", "\r"],
    ["l\\\ns", "opaque", "\\\n"],
    ["cat <<E\nE", "opaque", "<<"],
    ["x=1 ls", "opaque", "x=1"],
  ])("%j: %s because of %j", (text, trait, word) => {
    expect(because(text, trait)).toBe(word);
  });
});

describe("what is opaque still shows what it destroys, sends or writes to git", () => {
  it.each([
    "ls\rrm x",
    "r''m x",
    "\\rm x",
    "$'rm' x",
    "echo $(rm x)",
    "echo `rm x`",
    'echo "${x:-$(rm x)}"',
    "if true; then rm x; fi",
    "f() { rm x; }; f",
    "bash -c 'rm x'",
    "sh -c \"bash -c 'rm x'\"",
    "eval 'rm x'",
    "bash <<E\nrm x\nE",
    "bash <<< 'rm x'",
    "echo 'rm x' | sh",
    "x='rm x'; $x",
    "ls | xargs rm",
    "sudo -u node rm x",
    "find . -exec rm {} +",
    `ls ${"a".repeat(5000)}; rm x`,
    `${"true && ".repeat(60)}rm x`,
    "'unclosed; rm x",
    "(((rm x",
    `${"$(".repeat(200)}rm x`,
    "env -S 'rm x'",
  ])("TH12: %j destroys", (text) => {
    expect(traits(text)).toMatch(/destructive.*opaque/);
  });

  it("TH12: every argv in it is found for the rules that deny, none for those that allow", () => {
    const { found, parts } = classifyShell(`${"true && ".repeat(60)}curl http://h`);
    expect(found).toContainEqual(["curl", "http://h"]);
    expect(classifyShell("echo $(git push origin)").found).toEqual([
      ["echo", "$(git push origin)"],
      ["git", "push", "origin"],
    ]);
    expect(classifyShell("ls\rcurl http://h").found).toContainEqual(["curl", "http://h"]);
    expect(classifyShell("sudo -E git push").found).toContainEqual(["git", "push"]);
    expect(classifyShell("(git push; ls)").parts.map(({ argv }) => argv)).toEqual([null, null]);
    expect(parts.length).toBe(61);
  });
});

describe("the parts", () => {
  it("have their words, their folder and their text", () => {
    expect(classifyShell("cd src && cat 'a b'   c; ls > x\npwd").parts).toEqual([
      { argv: ["cd", "src"], cwd: ".", text: "cd src" },
      { argv: ["cat", "a b", "c"], cwd: "src", text: "cat 'a b'   c" },
      // The cd may have failed; and a redirection is more than words.
      { argv: null, cwd: null, text: "ls > x" },
      { argv: ["pwd"], cwd: null, text: "pwd" },
    ]);
  });

  it("TH13: a cd that leads out, or to nobody knows where, makes all of it opaque", () => {
    for (const cd of [
      "cd ..",
      "cd /",
      "cd",
      "cd -",
      "cd ~",
      "cd $x",
      "cd a b",
      "cd .git",
      "cd -P a",
      "cd ''",
      "cd *",
      "cd src | ls",
      "! cd src",
      "ls | cd src",
    ]) {
      expect(traits(`${cd} && ls`)).toContain("opaque");
    }
    expect(because("cd a; cat b; cd .ssh; cat id", "opaque")).toBe(".ssh");
  });

  it("a protected name counts in every folder that a cd may have led to", () => {
    const { touches } = classifyShell("cd a; cd b; cat c").use;
    expect(touches.filter(({ how }) => how === "file").map(({ path }) => path)).toEqual([
      "c",
      "a/c",
      "b/c",
      "a/b/c",
    ]);
    expect(touches.filter(({ how }) => how === "folder").map(({ path }) => path)).toEqual(["a", "b", "a/b"]);
  });
});

it("TH17: answers at once on texts that are made to be slow", () => {
  const hostile = [
    "(".repeat(20_000),
    "`".repeat(20_001),
    "$(".repeat(2000),
    "{".repeat(4000),
    "'\"".repeat(2000),
    "a;".repeat(2000),
    "$((".repeat(1300),
  ];
  const times = hostile.map((text) => {
    const start = performance.now();
    expect(traits(text)).toContain("opaque");
    return performance.now() - start;
  });
  console.info(`the slowest hostile text takes ${Math.max(...times).toFixed(1)} ms`);
});

describe("for any text", () => {
  const known = Object.values(labelledCommands).flat();
  const part = fc.constantFrom(...known);
  const simple = fc.constantFrom(...known.filter((text) => /^[\w ./:=-]+$/.test(text)));
  const any = fc.oneof(
    part,
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."ls rm;|&$(){}'\"\\`<>\n\r\t#*?~!=a./-") }),
  );

  it("never throws, never without a trait, each trait once", () => {
    fc.assert(
      fc.property(any, (text) => {
        const found = classifyShell(text).traits.map(({ trait }) => trait);
        expect(found.length).toBeGreaterThan(0);
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 3000 },
    );
  });

  it("a further part never lowers the class, and takes no trait away", () => {
    const joint = fc.constantFrom("; ", " && ", " || ", " | ", "\n", " & ");
    fc.assert(
      fc.property(part, joint, part, (first, between, second) => {
        const both = `${first}${between}${second}`;
        expect(rank(both)).toBeGreaterThanOrEqual(rank(first));
        // What stands behind a pipe reads from it and not from the folder.
        if (between !== " | " && !first.includes("\n"))
          expect(rank(both)).toBeGreaterThanOrEqual(rank(second));
      }),
      { numRuns: 3000 },
    );
  });

  it("quotes and blanks never lower the class", () => {
    const quoted = fc.tuple(simple, fc.nat(), fc.constantFrom("'", '"', "\\")).map(([text, at, quote]) => {
      const words = text.split(" ");
      const i = at % words.length;
      const word = words[i] ?? "";
      words[i] = quote === "\\" ? `\\${word}` : `${quote}${word}${quote}`;
      return [text, words.join(at % 3 === 0 ? "  " : at % 3 === 1 ? "\t" : " ")] as const;
    });
    fc.assert(
      fc.property(quoted, ([plain, other]) => {
        expect(rank(other)).toBeGreaterThanOrEqual(rank(plain));
      }),
      { numRuns: 3000 },
    );
  });

  it("TH14: wrapping never lowers the class", () => {
    const wrap = fc.constantFrom<(text: string) => string>(
      ...[
        "env ",
        "timeout 5 ",
        "nice -n 5 ",
        "sudo -u node ",
        "xargs ",
        "command ",
        "exec ",
        "time ",
        "nohup ",
        "X=1 ",
        "! ",
      ].map((head) => (text: string) => `${head}${text}`),
      (text) => `(${text})`,
      (text) => `{ ${text}; }`,
      (text) => `$(${text})`,
      (text) => `echo "$(${text})"`,
      (text) => `bash -c '${text}'`,
      (text) => `sh -c "sudo ${text}"`,
      (text) => `if true; then ${text}; fi`,
    );
    fc.assert(
      fc.property(simple, wrap, (text, wrapped) => {
        expect(rank(wrapped(text))).toBeGreaterThanOrEqual(rank(text));
      }),
      { numRuns: 3000 },
    );
  });
});
