// Words in place of a key are no secrets; what could be one is.
import { describe, expect, it } from "vitest";
import { shownLine } from "../../src/model/error-text.ts";
import { isPlaceholderKey } from "../../src/policy/placeholder-key.ts";
import { environmentSecrets, redactorFor } from "../../src/policy/secrets.ts";

describe("a placeholder is shown as it is", () => {
  it.each([
    ...["ollama", "Ollama", "lm-studio", "lm_studio", "llama.cpp", "sk-no-key-required", "not-needed"],
    ...["not_needed", "NONE", "EMPTY", "dummy", "xxxxxxxx", "token-abc123", "no-key", "sk-xxxx", "12345678"],
  ])("%s", (key) => {
    const text = `The server at ${key} answered.`;
    expect(isPlaceholderKey(key)).toBe(true);
    expect(redactorFor([key, ...environmentSecrets({ OPENAI_API_KEY: key })]).text(text)).toBe(text);
    expect(shownLine(text, key)).toBe(text);
  });
});

describe("anything else is a secret", () => {
  it.each(["ollama1", "sk-test-51Habcdef", "lm-studio-key", "hunter22", "localdb-pw", "123456789012"])(
    "%s",
    (key) => {
      expect(isPlaceholderKey(key)).toBe(false);
      expect(redactorFor([key]).text(`It is ${key}.`)).toBe("It is <redacted>.");
    },
  );
});
