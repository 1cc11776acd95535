// Words that stand where a key is wanted and none is needed. They are no secret, and taking them out would garble every text
// that speaks of them. Pure; used by the redactor and by error texts.

const placeholders =
  /^(?:ollama|lm-?studio|llama-?cpp|vllm|local(?:host)?|none|null|nil|empty|dummy|fake|test(?:ing)?|example|unused|anything|whatever|changeme|x+|not-?(?:needed|required|used|set)|no-?(?:key|auth)(?:-?(?:needed|required))?|(?:sk-)?no-key-required|sk-(?:x+|test|dummy|fake|local|none|ollama|1234)|token-abc123|1234(?:5678(?:9|90)?)?)$/;

/** Whether servers' own documentation, or habit, has this word in place of a key. */
export function isPlaceholderKey(value: string): boolean {
  return placeholders.test(value.trim().toLowerCase().replace(/[_ .]/g, "-"));
}
