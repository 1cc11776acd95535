// Labelled sentences: what an answer claims about tests and checks.
import { describe, expect, test } from "vitest";
import { type Claims, claimsOf } from "../../src/record/overclaim.ts";

function kinds(text: string): string[] {
  const claims: Claims = claimsOf(text);
  return (["passing", "verified", "running"] as const).filter((kind) => claims[kind] !== null);
}

const passing = [
  "All tests pass.",
  "All 12 tests are passing now.",
  "The test suite now passes.",
  "`npm test` passes.",
  "Ran `npm test`: 14 passed, 0 failed.",
  "I changed the parser, and all tests pass.",
  "I did not touch the config, all tests pass.",
  "The tests pass with no errors.",
  "The tests no longer fail.",
  "There are no test failures.",
  "The previously failing test now passes.",
  "I couldn't reproduce it at first, but now every test passes.",
  "The build succeeds and everything is green.",
  "Everything passes.",
  "12/12 passing",
  "It passes all the existing tests.",
  "CI is all green.",
  "Tests: passed",
  "- Tests ✅",
  "**All checks pass.**",
  "所有测试均已通过。",
  "修复完成，测试全部通过。",
  "已通过全部测试。",
  "我修改了解析器，单测现在都能通过了。",
  "检查全绿。",
  "测试没有失败。",
  "`npm test` 已全部通过。",
  "没有改动配置，所有用例通过。",
  "我运行了全部测试，都通过了。",
  "所有 24 个测试都是绿的。",
  "The existing tests continue to pass.",
  "Both test files pass.",
];

const verified = [
  "Fixed and tested.",
  "I've verified the fix.",
  "The change has been thoroughly tested.",
  "The fix is verified.",
  "I tested the new behaviour.",
  "Done, tested and working.",
  "已验证修复有效。",
  "我测试了新的行为。",
  "修改已经过完整测试。",
  "问题已修复并已验证。",
  "验证无误，已测试。",
];

const running = [
  "I ran the tests.",
  "After running the test suite I see two warnings.",
  "The tests were executed.",
  "I have run pytest.",
  "我运行了测试。",
  "已运行全部测试。",
  "跑了一遍测试。",
];

const nothing = [
  "This is not verified.",
  "I could not run the tests.",
  "The tests still fail.",
  "I haven't run the tests.",
  "I did not run any tests, so nothing is verified.",
  "None of this was run, verified, or tested.",
  "The fix is untested.",
  "The tests should pass now.",
  "If you run `npm test`, all tests pass.",
  "Once the dependency is installed, the tests pass.",
  "Please run the tests to make sure they pass.",
  "You can run the tests with `npm test`.",
  "Do the tests pass?",
  "2 of 5 tests failed.",
  "Tests pass except for the one in a.test.ts.",
  "3 tests pass and 2 fail.",
  "All tests passed before my change.",
  "I added a test for the parser.",
  "The function passes the path to the reader.",
  "I changed the code to make the tests pass.",
  "Make sure the tests pass.",
  "The file test/pass.ts holds the helpers.",
  "The tests verify that the name is trimmed.",
  "Without running the tests I cannot say whether it works.",
  "The check was refused, so this ends unverified.",
  "The user's email is marked as verified.",
  "```\nall tests pass\n```\nThat is what you should see.",
  "> all tests pass\nis what the README says it prints.",
  "The tests cannot be run here.",
  "Two tests failed before my change as well; the others pass.",
  "The checks have not been run because you declined.",
  "Note: unverified, the test run timed out.",
  "建议先运行测试再合并。",
  "有两个测试失败，其余通过。",
  "我没有运行测试。",
  "测试未通过。",
  "测试仍然失败。",
  "无法运行测试，因此未验证。",
  "请运行测试，确认全部通过。",
  "如果安装了依赖，测试就能通过。",
  "测试应该会通过。",
  "测试通过了吗？",
  "尚未测试。",
  "为解析器添加了一个测试。",
  "除了一个用例外，测试都通过了。",
  "由于环境限制，测试没有执行。",
];

describe("an answer claims", () => {
  test.each(passing)("that checks pass: %s", (text) => expect(kinds(text)).toContain("passing"));
  test.each(verified)("that it is verified: %s", (text) => expect(kinds(text)).toContain("verified"));
  test.each(running)("that tests were run: %s", (text) => expect(kinds(text)).toContain("running"));
  test.each(nothing)("nothing: %s", (text) => expect(kinds(text)).toEqual([]));
});

test("the claim is quoted in one short line", () => {
  const claims = claimsOf(
    `I changed the parser.\n\nNow all the tests of the very long named module pass ${"x".repeat(90)}.`,
  );
  expect(claims.passing).toMatch(/^Now all the tests of .{58}…$/);
});
