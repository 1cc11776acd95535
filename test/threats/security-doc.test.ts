// docs/security.md says what the tests of this folder say, and no threat of the table is without one.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** Numbers between 1 and 107 that the table of threats does not use. */
const unused = [7, 11, 20, 30, 36, 45, 55, 57, 63, 69, 71, 78, 84, 103];

it("the page is not stale", () => {
  execFileSync(process.execPath, [join(root, "scripts/security-doc.mjs"), "--check"], { stdio: "pipe" });
});

it("every threat has its test", () => {
  const wanted = Array.from({ length: 107 }, (_, i) => i + 1).filter((n) => !unused.includes(n));
  const files = new Set(readdirSync(import.meta.dirname));
  const missing = wanted.filter((n) => !files.has(`TH${String(n).padStart(2, "0")}.test.ts`));
  expect(missing).toEqual([]);
});
