import { existsSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { type SearchQuery, type SearchResult, searchText } from "../../src/workspace/search.ts";
import { searchLine } from "../../src/workspace/search-output.ts";
import { git, never, repository, tempFolder, trap, write } from "./git-fixture.ts";

async function search(root: string, pattern: string, more: Partial<SearchQuery> = {}): Promise<SearchResult> {
  const gate = await openPathGate(root);
  const found = await searchText(gate, { ...plain, pattern, ...more }, never);
  await gate.close();
  if (!found.ok) throw new Error(`${found.refusal.outcome}: ${found.refusal.message}`);
  return found.value;
}

const plain: SearchQuery = { pattern: "", path: ".", literal: false, ignoreCase: false, context: 0 };

/** "path:line" of each shown match, "path-line" of context. */
function places({ hits }: SearchResult): string[] {
  return hits.flatMap(({ path, lines }) =>
    lines.map(({ number, match }) => `${path}${match ? ":" : "-"}${number}`),
  );
}

describe("where it looks", () => {
  const files = {
    ".gitignore": "dist/\n*.log\n",
    ".minicodeignore": "plans/\n",
    "a.ts": "needle\n",
    ".hidden/b.ts": "needle\n",
    "x.log": "needle\n",
    "dist/c.ts": "needle\n",
    ".env": "needle\n",
    ".env.example": "needle\n",
    "keys/server.pem": "needle\n",
    "plans/x": "needle\n",
    "node_modules/m/d.ts": "needle\n",
    "pkg/dist/e.ts": "needle\n",
    "pkg/f.ts": "needle\n",
  };
  const visible = [".env.example:1", ".hidden/b.ts:1", "a.ts:1", "pkg/f.ts:1"];

  it("in the visible files that are not ignored, with and without a repository", async () => {
    for (const root of [tempFolder(), repository({})]) {
      write(root, files);
      symlinkSync("/etc", join(root, "etc"));
      symlinkSync("a.ts", join(root, "link.ts"));
      expect(places(await search(root, "needle"))).toEqual(visible);
      expect(places(await search(root, "needle", { glob: "*" }))).toEqual(visible);
      expect(places(await search(root, "needle", { glob: "*.ts" }))).toEqual(visible.slice(1));
      expect(places(await search(root, "needle", { path: "pkg" }))).toEqual(["pkg/f.ts:1"]);
      expect(places(await search(root, "needle", { path: "pkg", glob: "*.{js,ts}" }))).toEqual([
        "pkg/f.ts:1",
      ]);
    }
  });

  it("in whatever is named, unless it is protected", async () => {
    const root = tempFolder();
    write(root, files);
    symlinkSync("a.ts", join(root, "link.ts"));
    expect(places(await search(root, "needle", { path: "x.log" }))).toEqual(["x.log:1"]);
    expect(places(await search(root, "needle", { path: "x.log", glob: "*.ts" }))).toEqual(["x.log:1"]);
    expect(places(await search(root, "needle", { path: "dist" }))).toEqual(["dist/c.ts:1"]);
    expect(places(await search(root, "needle", { path: "node_modules/m" }))).toEqual([
      "node_modules/m/d.ts:1",
    ]);
    for (const path of [".env", "keys/server.pem", "plans", "plans/x", ".git", "link.ts", "..", "/etc"]) {
      await expect(search(root, "needle", { path })).rejects.toThrow(/^blocked: /);
    }
  });

  it("finds no secret by any regex, and no count gives one away (K01)", async () => {
    const root = tempFolder();
    write(root, { ".env": "API_KEY=mc-secret-7731\n", "a.ts": "x\n", id_rsa: "\0API_KEY" });
    for (const pattern of ["API_KEY", "7731", "mc-.*", "(?s-u:.)API"]) {
      expect(await search(root, pattern)).toMatchObject({
        hits: [],
        matches: 0,
        files: 0,
        binary: [],
        unread: [],
      });
    }
  });

  it("a .gitignore above the workspace hides nothing", async () => {
    const home = tempFolder();
    write(home, { ".gitignore": "*\n", "project/src/b.ts": "needle\n" });
    expect(places(await search(join(home, "project"), "needle", { path: "src" }))).toEqual(["src/b.ts:1"]);
  });
});

describe("TH54 nothing is configured from outside", () => {
  it("RIPGREP_CONFIG_PATH, .ripgreprc, .ignore and patterns that look like flags", async () => {
    const root = tempFolder();
    const marker = join(root, "PWNED");
    const evil = trap(join(root, "evil.sh"), marker);
    write(root, {
      ".ripgreprc": `--pre=${evil}\n`,
      ".ignore": "*\n",
      ".rgignore": "*\n",
      "a.txt": "--pre=./evil.sh\n",
    });
    process.env["RIPGREP_CONFIG_PATH"] = join(root, ".ripgreprc");
    try {
      expect(places(await search(root, "--pre=./evil.sh"))).toEqual(["a.txt:1"]);
    } finally {
      delete process.env["RIPGREP_CONFIG_PATH"];
    }
    expect(existsSync(marker)).toBe(false);
  });
});

describe("what it finds", () => {
  it("regex, literal, case, look-around, end of a CRLF line", async () => {
    const root = tempFolder();
    write(root, { a: "foo(bar)\r\nFOO\nfood\n" });
    expect(places(await search(root, "fo+"))).toEqual(["a:1", "a:3"]);
    expect(places(await search(root, "foo(bar)", { literal: true }))).toEqual(["a:1"]);
    expect(places(await search(root, "foo", { ignoreCase: true }))).toEqual(["a:1", "a:2", "a:3"]);
    expect(places(await search(root, "foo(?!d)"))).toEqual(["a:1"]);
    expect(places(await search(root, "\\)$"))).toEqual(["a:1"]);
    expect(places(await search(root, "[^\\n]d$"))).toEqual(["a:3"]);
  });

  it("context, with gaps", async () => {
    const root = tempFolder();
    write(root, { a: "1\n2\nx\n4\n5\n6\n7\nx\n" });
    expect(places(await search(root, "x", { context: 1 }))).toEqual(["a-2", "a:3", "a-4", "a-7", "a:8"]);
  });

  it("names with blanks, quotes and other scripts; text that is not UTF-8", async () => {
    const root = tempFolder();
    write(root, { "größe ä.txt": "needle\n", 'q".txt': Buffer.from("needle \xff\n", "latin1") });
    const found = await search(root, "needle");
    expect(places(found)).toEqual(["größe ä.txt:1", 'q".txt:1'].sort());
    expect(found.hits.flatMap(({ lines }) => lines.map(({ text }) => text))).toContain("needle \ufffd");
  });

  it("lines of megabytes are named by their file, the others shown", async () => {
    const root = tempFolder();
    write(root, {
      "long.js": `needle 1\n${"needle ".repeat(500_000)}\nneedle 3\n`,
      "only.js": "needle".repeat(400_000),
    });
    const found = await search(root, "needle");
    expect(places(found)).toEqual(["long.js:1", "long.js:3"]);
    expect(found).toMatchObject({ matches: 2, files: 1, tooLong: ["long.js", "only.js"] });
  });

  it("a named file over 64 MB is refused, as it is left out when found", async () => {
    const root = tempFolder();
    write(root, { big: "needle\n" });
    truncateSync(join(root, "big"), 64 * 1024 * 1024 + 1);
    const gate = await openPathGate(root);
    const named = await searchText(gate, { ...plain, pattern: "needle", path: "big" }, never);
    await gate.close();
    expect(named).toMatchObject({ ok: false, refusal: { message: expect.stringContaining("over 64 MB") } });
    expect((await search(root, "needle")).matches).toBe(0);
  });

  it("binary files by name only", async () => {
    const root = tempFolder();
    write(root, { "x.bin": "a\0needle\n", "y.txt": "needle\n" });
    expect(await search(root, "needle")).toMatchObject({ matches: 1, binary: [] });
    expect(await search(root, "needle", { path: "x.bin" })).toMatchObject({ matches: 0, binary: ["x.bin"] });
  });

  it("at most 100 matches and 400 lines, the first by path, and the true count", async () => {
    const root = tempFolder();
    write(root, Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${100 + i}`, "x\n".repeat(3)])));
    const found = await search(root, "x");
    expect(found).toMatchObject({ matches: 180, files: 60, shown: 100 });
    expect(places(found).at(-1)).toBe("f133:1");

    write(root, { f100: `${"x\n\n\n\n\n\n\n\n\n\n\n".repeat(90)}` });
    const around = await search(root, "x", { context: 5, path: "f100" });
    expect(places(around)).toHaveLength(400);
    expect(around.shown).toBeLessThan(around.matches);
  });

  it("counts beyond what is kept", async () => {
    const root = tempFolder();
    write(root, { a: "x\n".repeat(20_000), b: "x\n".repeat(5) });
    expect(await search(root, "x")).toMatchObject({ matches: 20_005, files: 2, shown: 100 });
  });

  it("what changed a moment ago", async () => {
    const root = repository({ a: "old\n" });
    write(root, { a: "new\n" });
    git(root, "add", "a");
    expect(places(await search(root, "new"))).toEqual(["a:1"]);
    expect(places(await search(root, "old"))).toEqual([]);
  });
});

describe("refusals", () => {
  it("names what is wrong", async () => {
    const root = tempFolder();
    write(root, { a: "x\n" });
    await expect(search(root, "")).rejects.toThrow("invalid: The pattern is empty.");
    await expect(search(root, "a\nb")).rejects.toThrow("invalid: A pattern matches within one line");
    await expect(search(root, "a\\nb")).rejects.toThrow(/^invalid: Not a valid pattern: .*\\n.*not allowed/);
    await expect(search(root, "(")).rejects.toThrow(
      "invalid: Not a valid pattern: unclosed group. For plain text set",
    );
    await expect(search(root, "x(?=")).rejects.toThrow(
      /^invalid: Not a valid pattern: .*missing closing parenthesis/,
    );
    await expect(search(root, "x", { glob: "a{b" })).rejects.toThrow(
      /^invalid: Not a valid glob: .*unclosed/,
    );
    await expect(search(root, "x", { path: "nope" })).rejects.toThrow(/^error: There is no such file: nope/);
    await expect(search(root, "a\0b")).rejects.toThrow(/^error: The search could not be started/);
  });

  it("is cancelled by its signal", async () => {
    const gate = await openPathGate(tempFolder());
    const found = await searchText(gate, { ...plain, pattern: "x" }, AbortSignal.abort());
    await gate.close();
    expect(found).toMatchObject({ ok: false, refusal: { outcome: "cancelled" } });
  });
});

describe("a long line", () => {
  it("is cut to 200 characters with the match in it and no half character", () => {
    const unit = fc.oneof(
      fc.constantFrom("a", "ß", "漢", "👍", "\u0301"),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    );
    const text = fc.array(unit, { maxLength: 400 }).map((units) => units.join("").replace(/[\r\n]/g, ""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const line = `${before}needle${after}`;
        const start = Buffer.byteLength(before);
        const shown = searchLine({
          type: "match",
          data: { lines: `${line}\n`, line_number: 1, submatches: [{ start, end: start + 6 }] },
        }).text;
        expect(shown).toContain("needle");
        expect(shown).not.toMatch(/\p{Surrogate}/u);
        if (line.length <= 200) expect(shown).toBe(line);
        else expect(shown).toMatch(/^.{199,203} \(line of \d+ characters\)$/s);
      }),
      { numRuns: 300 },
    );
  });
});
