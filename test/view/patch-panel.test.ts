import { describe, expect, it } from "vitest";
import { diffHunks } from "../../src/patch/diff.ts";
import { panel, patch, patchFile, ref } from "./helpers.ts";

/** A file of a patch as the tools make it. */
function changed(path: string, before: string | null, after: string | null) {
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text));
  const blob = (text: string | null) => (text === null ? null : ref(text));
  return patchFile({
    path,
    before: blob(before),
    after: blob(after),
    ...diffHunks(bytes(before), bytes(after)),
  });
}

describe("the patch panel", () => {
  it("shows the reason and one file's diff", () => {
    expect(panel(patch())).toMatchInlineSnapshot(`
      "Patch #3 <digest>
        why: Empty input must not throw.

        src/a.ts +1 -1 edit
          @@ -9,3 +9,3 @@
           9  9   one
          10    - two
             10 + zwei
          11 11   three"
    `);
  });

  it("shows what happens to each file", () => {
    const files = [
      changed("src/new.ts", null, "a\nb\n"),
      changed("src/old.ts", "a\n", null),
      { ...changed("bin/tool", null, "#!/bin/sh\n"), mode: 0o755 },
      {
        ...patchFile({ path: "src/b.ts", from: "src/a.ts", hunks: [], added: 0, removed: 0 }),
        after: ref("before"),
      },
      { ...changed("src/c.ts", "x\n", "y\n"), notes: ["this file has 2 names (hard links)"] },
      patchFile({ path: "logo.png", hunks: [], added: 0, removed: 0 }),
    ];
    expect(panel(patch({ files, outsideScope: ["src/old.ts"] }))).toMatchInlineSnapshot(`
      "Patch #3 <digest>
        why: Empty input must not throw.
        6 files, +4 -2

        src/new.ts +2 -0 create
          @@ -0,0 +1,2 @@
            1 + a
            2 + b

        src/old.ts +0 -1 delete [outside the plan]
          @@ -1,1 +0,0 @@
          1   - a

        bin/tool +1 -0 create, mode 755
          @@ -0,0 +1,1 @@
            1 + #!/bin/sh

        src/b.ts +0 -0 rename from src/a.ts
          content unchanged

        src/c.ts +1 -1 edit
          note: this file has 2 names (hard links)
          @@ -1,1 +1,1 @@
          1   - x
            1 + y

        logo.png +0 -0 edit
          no lines to show: 6 bytes before, 5 after"
    `);
  });

  it("names the round and what failed when it is a repair", () => {
    const repair = { round: 1, of: 2, failing: ["adds › works", "adds › fails"] };
    expect(panel(patch({ repair }))).toMatchInlineSnapshot(`
      "Patch #3 <digest>
        repair 1 of 2
        failing:
          adds › works
          adds › fails
        why: Empty input must not throw.

        src/a.ts +1 -1 edit
          @@ -9,3 +9,3 @@
           9  9   one
          10    - two
             10 + zwei
          11 11   three"
    `);
  });

  it("shows tabs, CR, a lost last newline and a byte order mark", () => {
    const file = changed("Makefile", "all:\n\techo a\r\nend", "\ufeffall:\n    echo a\nend\n");
    expect(panel(patch({ files: [file] }))).toMatchInlineSnapshot(`
      "Patch #3 <digest>
        why: Empty input must not throw.

        Makefile +3 -3 edit
          @@ -1,3 +1,3 @@
          1   - all:
          2   - →   echo a␍
          3   - end
              \\ No newline at end of file
            1 + \\u{FEFF}all:
            2 +     echo a
            3 + end"
    `);
  });

  it("aligns numbers over all hunks of a file", () => {
    const lines = Array.from({ length: 120 }, (_, i) => `line ${i + 1}`);
    const after = lines.map((line) => (line === "line 2" || line === "line 110" ? `${line}!` : line));
    expect(
      panel(patch({ files: [changed("a.txt", lines.join("\n"), after.join("\n"))] })),
    ).toMatchInlineSnapshot(`
      "Patch #3 <digest>
        why: Empty input must not throw.

        a.txt +2 -2 edit
          @@ -1,5 +1,5 @@
            1   1   line 1
            2     - line 2
                2 + line 2!
            3   3   line 3
            4   4   line 4
            5   5   line 5
          @@ -107,7 +107,7 @@
          107 107   line 107
          108 108   line 108
          109 109   line 109
          110     - line 110
              110 + line 110!
          111 111   line 111
          112 112   line 112
          113 113   line 113"
    `);
  });

  it("T01, T02: hides nothing in path, diff, reason and notes", () => {
    const lines = [
      "\u001b]0;pwn\u0007x",
      "safe\revil",
      "a\u202eb\u200b",
      "\u009b31m",
      `a${" ".repeat(300)}; rm keep`,
    ];
    const file = {
      ...changed("a\u202etxt.b\u001b[2J", null, `${lines.join("\n")}\n漢字 "\\u{202E}"\n`),
      notes: ["note\u001bc"],
    };
    const shown = panel(
      patch({ reason: "why\u001b[6n", files: [file], repair: { round: 1, of: 2, failing: ["\u001b[1mx"] } }),
    );
    expect(shown).toContain(`+ a${" ".repeat(300)}; rm keep`);
    expect(shown.replace(/ {300}/, "<300>")).toMatchInlineSnapshot(`
      "Patch #3 <digest>
        repair 1 of 2
        failing: ␛[1mx
        why: why␛[6n

        a\\u{202E}txt.b␛[2J +6 -0 create
          note: note␛c
          @@ -0,0 +1,6 @@
            1 + ␛]0;pwn␇x
            2 + safe␍evil
            3 + a\\u{202E}b\\u{200B}
            4 + \\u{9B}31m
            5 + a<300>; rm keep
            6 + 漢字 "\\u{202E}""
    `);
  });

  it("T02: shows the last line of a long diff", () => {
    const after = Array.from({ length: 400 }, (_, i) => `line ${i}`).join("\n");
    const shown = panel(patch({ files: [changed("a.txt", null, `${after}\nrm -rf /\n`)] }));
    expect(shown.split("\n")).toHaveLength(2 + 3 + 401);
    expect(shown).toMatch(/401 \+ rm -rf \/$/);
  });
});
