import { describe, expect, test } from "vitest";
import { nearestLines } from "../../src/patch/nearest.ts";

const file = [
  "export function load(path: string): Config {",
  "  const text = readFileSync(path, 'utf8');",
  "  if (text === '') {",
  "    return defaults;",
  "  }",
  "  return parse(text);",
  "}",
  "",
  "function parse(text: string): Config {",
  "\treturn JSON.parse(text);",
  "}",
  "",
  "const quote = “yes”;",
  "",
].join("\n");

describe("says why text missed by a little", () => {
  test.each([
    [
      "indentation",
      "if (text === '') {\n  return defaults;\n}\n",
      "Only the indentation differs:\n3|  if (text === '') {\n4|    return defaults;\n5|  }",
    ],
    [
      "tabs for blanks",
      "    return JSON.parse(text);",
      "Only the indentation differs:\n10|\treturn JSON.parse(text);",
    ],
    ["white space inside", "return parse( text );", "Only white space differs:\n6|  return parse(text);"],
    [
      "case",
      "const Text = readfilesync(path",
      "Only upper and lower case differ:\n2|  const text = readFileSync(path, 'utf8');",
    ],
    [
      "quotes in the file",
      'const quote = "yes";',
      'Only look-alike characters differ: the file has “ (U+201C) for ", ” (U+201D) for ":\n13|const quote = “yes”;',
    ],
    [
      "a hidden character",
      "return\u00A0par\u200Bse(text);",
      "Only look-alike characters differ: old has \u00A0 (U+00A0) for a blank, \u200B (U+200B) for nothing:\n6|  return parse(text);",
    ],
    [
      "quotes and white space",
      "if (text===‘’) {",
      "Only white space and look-alike characters differ:\n3|  if (text === '') {",
    ],
    [
      "line breaks at the end",
      "const quote = “yes”;\n\n",
      "Old begins or ends with line breaks that are not there:\n13|const quote = “yes”;",
    ],
    [
      "line numbers",
      " 3|  if (text === '') {\n 4|    return defaults;",
      "Old has line numbers in front of its lines; leave them out:\n3|  if (text === '') {\n4|    return defaults;",
    ],
    [
      "line numbers with a tab",
      "6\t  return parse(text);",
      "Old has line numbers in front of its lines; leave them out:\n6|  return parse(text);",
    ],
    [
      "escapes",
      "return defaults;\\n  }\\n",
      'Old is escaped once too often (\\n, \\t or \\" for the character itself):\n4|    return defaults;\n5|  }',
    ],
  ])("%s", (_, wanted, message) => {
    expect(nearestLines(file, wanted)).toBe(message);
  });

  test("look-alikes that are elsewhere in the line too", () => {
    const message = nearestLines('say("a"); // “a”\n', "say(“a”); // “a”");
    expect(message).toContain('old has “ (U+201C) for ", ” (U+201D) for ":\n1|say("a"); // “a”');
  });

  test("accents composed in another way", () => {
    expect(nearestLines("caf\u00E9\n", "cafe\u0301")).toMatch(
      /^Only look-alike characters differ: .*NFC.*:\n1\|café$/,
    );
  });

  test("every place is counted, three are shown", () => {
    const message = nearestLines("  x();\ny\n".repeat(4), "    x();");
    expect(message).toBe("Only the indentation differs, in 4 places:\n1|  x();\n…\n3|  x();\n…\n5|  x();");
  });

  test("an indented line is not found in the middle of another", () => {
    expect(nearestLines("y = call(x);\n", "  call(x);")).not.toContain("indentation");
  });
});

describe("shows the most similar lines", () => {
  test("a changed word", () => {
    expect(nearestLines(file, "const text = readFile(path);")).toBe(
      "The nearest lines are:\n2|  const text = readFileSync(path, 'utf8');",
    );
  });

  test("of a block, from its first line on, though that line is unlike", () => {
    const wanted = "  xyz\n    return defaults;\n  }\n  return parsed(text);\n";
    expect(nearestLines(file, wanted)).toBe(
      "The nearest lines are:\n3|  if (text === '') {\n4|    return defaults;\n5|  }\n6|  return parse(text);",
    );
  });

  test("one of many alike", () => {
    const many = Array.from(
      { length: 20_000 },
      (_, i) => `line ${i + 1} const value = compute(${i + 1});\n`,
    ).join("");
    expect(nearestLines(many, "line 15000 const value = comptue(15000);")).toContain(
      "15000|line 15000 const",
    );
  });

  test("at most 40 lines, and long ones cut", () => {
    const lines = Array.from({ length: 60 }, (_, i) => `${"x".repeat(400)} number ${i}`);
    const rows = nearestLines(lines.join("\n"), lines.map((line) => `${line}?`).join("\n")).split("\n");
    expect(rows).toHaveLength(42);
    expect(rows.at(-1)).toBe("… 20 more lines");
    expect(rows[1]).toBe(`1|${"x".repeat(300)}… (109 more characters)`);
  });

  test("nothing alike: a short file whole, a long one not", () => {
    expect(nearestLines("a = 1\nb = 2\n", "zzz")).toBe("The whole file is:\n1|a = 1\n2|b = 2");
    expect(nearestLines("a = 1\n".repeat(13), "zzz")).toBe(
      "None of its 13 lines is like it; read the file again.",
    );
    expect(nearestLines("", "zzz")).toBe("The file is empty; use `content` to fill it.");
  });
});
