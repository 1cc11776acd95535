// What is taken for a secret key, and what is not.
import { expect, test } from "vitest";
import { looksLikeKey } from "../../src/config/key-like.ts";

test.each([
  "sk-proj-abcdefgh1234",
  "sk-ant-api03-AbCd",
  "sk-or-v1-0123456789abcdef",
  "gsk_AbCdEfGh1234",
  "AIzaSyA1b2C3d4E5f6",
  "github_pat_11ABCDEFG",
  "ghp_0123456789abcdefghij",
  "AKIAIOSFODNN7EXAMPLE",
  "xoxb-123456789-abc",
  "eyJhbGciOiJIUzI1NiJ9.e30.x",
  "Bearer 0123456789abcdefghijklmn",
  "0123456789abcdef0123456789abcdef",
  '["curl", "-H", "sk-proj-abcdefgh1234"]',
  "--token=AbCdEfGh0123456789IjKl",
])("%s is", (text) => {
  expect(looksLikeKey(text)).toBe(true);
});

test.each([
  "",
  "deepseek",
  "my-long-profile-for-the-big-server-2026-11-05",
  "skylark",
  "sk-1",
  '[["npm","test"],["tsc","--noEmit"]]',
  "apply_patch",
  "DASHSCOPE_API_KEY",
  "claude-sonnet-5-5",
  "~anthropic/claude-sonnet-latest",
  "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
  "MINICODE_OPENAI_BASE_URL",
  "internationalisation",
  "12345678901234567890",
])("%s is none", (text) => {
  expect(looksLikeKey(text)).toBe(false);
});
