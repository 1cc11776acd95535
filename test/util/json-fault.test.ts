// Where text stops being JSON: never another word than JSON.parse has, and the place in lines and columns.
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFault } from "../../src/util/json-fault.ts";

test.each([
  ["", "line 1, column 1: expected a value"],
  ["{", "line 1, column 2: expected a name in double quotes"],
  ['{"a": 1,}', "line 1, column 9: expected a name in double quotes"],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected "," or "}"'],
  ['{\n  "a" 1\n}', 'line 2, column 7: expected ":"'],
  ["[1, 2", 'line 1, column 6: expected "," or "]"'],
  ["[1, ]", "line 1, column 5: expected a value"],
  ['{"a": tru}', "line 1, column 7: expected a value"],
  ['{"a": 01}', "line 1, column 7: expected a value"],
  ['{"a": "x}', "line 1, column 7: expected a value"],
  ['{"a": 1} x', "line 1, column 10: expected the end"],
  ["{'a': 1}", "line 1, column 2: expected a name in double quotes"],
  ["{} // note", "line 1, column 4: expected the end"],
])("%j", (text, fault) => {
  expect(jsonFault(text)).toBe(fault);
});

test("it agrees with JSON.parse on JSON, and on JSON with one character changed", () => {
  const changed = fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom("", "{", "]", ",", '"', "\\", "0", "-", "e", "\n", "\t"),
    )
    .map(([json, at, by]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + by + json.slice(place + 1);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json({ stringUnit: "binary" }), changed, fc.string()), (text) => {
      expect(jsonFault(text) === undefined).toBe(parses(text));
    }),
    { numRuns: 5_000 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
