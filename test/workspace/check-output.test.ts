// Real outputs of real runners (test/fixtures/check-output; those of go, Maven, Gradle and dotnet are written after their
// documentation): what failed, and why.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { condense, failingNames } from "../../src/workspace/check-output.ts";

const folder = fileURLToPath(new URL("../fixtures/check-output", import.meta.url));

function fixture(name: string): string {
  return readFileSync(`${folder}/${name}.txt`, "utf8");
}

const nodeTest = [
  "/tmp/pw/proj/nodetest/test/crash.test.js",
  "sum > adds two numbers",
  "sum > with negatives > adds > them (really) # 5",
  "names are listed",
  "parent > child throws",
];
const jest = [
  "./sum.test.js › sum › adds two numbers",
  "./sum.test.js › sum › with negatives › adds › them (really)",
  "./sum.test.js › names are listed",
  "./crash.test.js",
];
const vitest = [
  "sub/crash.test.js",
  "sum.test.js > sum > adds two numbers",
  "sum.test.js > sum > with negatives > adds > them (really)",
  "sum.test.js > names are listed",
];
const ava = ["sum › adds two numbers", "sum › names are listed › (really)", "sum › throws"];
const pytest = [
  "tests/test_calc.py::TestAdd::test_two",
  "tests/test_calc.py::test_many[1-1]",
  "tests/test_calc.py::test_many[x y-]",
  "tests/test_calc.py::test_db",
];
const unittest = [
  "test_broken (unittest.loader._FailedTest.test_broken)",
  "test_boom (test_calc.TestAdd.test_boom)",
  "test_sub (test_calc.TestAdd.test_sub) (i=0)",
  "test_sub (test_calc.TestAdd.test_sub) (i=1)",
  "test_sub (test_calc.TestAdd.test_sub) (i=2)",
  "test_two (test_calc.TestAdd.test_two)",
];

const runs: [string, string[]][] = [
  ["nodetest-spec", nodeTest],
  ["nodetest-tap", nodeTest],
  ["nodetest-npm", nodeTest],
  ["jest", jest],
  ["jest-verbose", jest],
  ["vitest", vitest],
  ["vitest-verbose", vitest],
  [
    "mocha",
    [
      "names are listed",
      "sum > adds two numbers",
      "sum > with negatives > adds > them (really)",
      'sum > with a hook > "before all" hook for "never runs"',
    ],
  ],
  ["ava", ava],
  ["ava-tap", ava],
  ["tape", ["sum > adds two numbers", "names > should be deeply equivalent"]],
  ["tap", ["test.js > sum > adds two numbers", "test.js > names > should be equivalent"]],
  ["pytest-q", pytest],
  ["pytest-v", pytest],
  ["pytest-collect", ["tests/test_broken.py"]],
  ["unittest", unittest],
  ["unittest-v", unittest],
  ["cargo", ["tests::deep::boom", "tests::deep::calm", "tests::two", "outside", "src/lib.rs - add"]],
  ["cargo-compile", []],
  [
    "go",
    [
      "example.com/calc.TestAdd/two",
      "example.com/calc.TestAdd/with_spaces_and_#1",
      "example.com/calc.TestNames",
      "example.com/calc/panics.TestPanics",
      "example.com/calc/broken [build failed]",
    ],
  ],
  ["go-v", ["example.com/calc.TestAdd/two"]],
  [
    "bun",
    [
      "calc.test.ts > names are listed",
      "calc.test.ts > sum > adds two numbers",
      "calc.test.ts > sum > with > signs > throws (really)",
      "sub/crash.test.ts",
    ],
  ],
  [
    "rspec",
    [
      "./spec/calc_spec.rb Calc adds two numbers",
      "./spec/calc_spec.rb Calc with zero raises",
      "./spec/calc_spec.rb Calc with zero case 0",
      "./spec/calc_spec.rb Calc with zero case 1",
    ],
  ],
  ["maven", ["com.example.CalcTest.addsTwo", "com.example.CalcTest.divides"]],
  ["gradle", ["CalcTest > addsTwo()", "CalcTest > Nested > divides(int) > [1] 0"]],
  ["dotnet", ["Calc.Tests.CalcTests.AddsTwo", "Calc.Tests.CalcTests.Divides(a: 1, b: 0)"]],
];

describe.each(runs)("%s", (name, failing) => {
  const output = fixture(name);

  test("failing names", () => {
    expect(failingNames(output)).toEqual(failing);
  });

  test("the same names when it takes longer", () => {
    expect(failingNames(output.replace(/\d+(\.\d+)?(?= ?m?s\b)/g, "98.7"))).toEqual(failing);
  });

  test("condensed", async () => {
    await expect(condense(output, failing)).toMatchFileSnapshot(`${folder}/${name}.condensed.txt`);
  });
});

describe("condense", () => {
  test("the failures that matter come first", () => {
    const [, , last = ""] = vitest;
    expect(condense(fixture("vitest"), [last]).startsWith(`✖ ${last}\n`)).toBe(true);
  });

  test("several programs' outputs are told together", () => {
    const output = `${fixture("mocha")}\n${fixture("pytest-q")}`;
    expect(failingNames(output)).toHaveLength(8);
    expect(condense(output, [])).toContain("E       assert -1 == 3");
  });

  test("without known failures it is start and end", () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `src/file.c:${i}: warning`);
    const text = condense(lines.join("\n"), []);
    expect(text).toMatch(/^src\/file\.c:0: warning\n/);
    expect(text).toMatch(/\n\[… \d+ lines left out …\]\n/);
    expect(text).toMatch(/\nsrc\/file\.c:4999: warning$/);
  });

  test("passing tests go before anything else has to", () => {
    const passed = Array.from({ length: 2000 }, (_, i) => `ok ${i + 1} - passes ${i}`);
    const output = [...passed.slice(0, 1000), "not ok 9999 - fails", ...passed.slice(1000), "# the end"].join(
      "\n",
    );
    expect(condense(output, ["fails"])).toBe("✖ fails\n\n# the end");
    expect(condense(passed.join("\n"), [])).toMatch(/ok 2000 - passes 1999$/);
  });

  test("one endless reason leaves room for the others, many leave room for the end", () => {
    const reason = (name: string, length: number) => [
      ` FAIL  a.test.ts > ${name}`,
      ...Array.from({ length }, (_, i) => `line ${i} of ${name}`),
      "⎯⎯⎯⎯",
    ];
    const long = condense([...reason("a", 5000), ...reason("b", 3), "the end"].join("\n"), []);
    expect(long).toContain("line 4999 of a");
    expect(long).toContain("line 2 of b");
    expect(long.length).toBeLessThan(3000);
    const many = condense(
      [...Array.from({ length: 900 }, (_, i) => reason(`t${i}`, 4)).flat(), "the end"].join("\n"),
      [],
    );
    expect(many).toMatch(/\[… the reasons of \d+ more failures are left out …\]\n\nthe end$/);
  });

  test("colours, carriage returns and progress bars", () => {
    expect(condense("\x1b[31mred\x1b[0m\r\n10%\r20%\r100%\n\x1b]0;title\x07end\r\n", [])).toBe(
      "red\n100%\nend",
    );
  });
});

test("anything at all gives at most 12,000 characters and a list of names", () => {
  const lines = runs.flatMap(([name]) => fixture(name).split("\n"));
  const anyLine = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...lines) }, fc.string());
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 400, size: "max" }), (some) => {
      const output = some.join("\n");
      const names = failingNames(output);
      expect(new Set(names).size).toBe(names.length);
      expect(condense(output, names).length).toBeLessThanOrEqual(12_000);
    }),
    { numRuns: 300 },
  );
});
