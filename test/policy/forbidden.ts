// What no shown text may hold, written apart from the code under test. Used by the tests of safe-text.ts and its fuzz target.

const rules = [
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|(?!\u200d)\p{Cf}|[\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\ufe0e\ufe0f\u200d])\p{Default_Ignorable_Code_Point}/u,
  // A joiner that joins nothing.
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}])\u200d|\u200d(?![\p{Extended_Pictographic}\p{Emoji_Modifier}])/u,
  // A selector that selects nothing.
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}])[\ufe0e\ufe0f](?!\u20e3)/u,
  // A pile of marks.
  /(?:(?![\ufe0e\ufe0f])[\p{Mn}\p{Me}]){9}/u,
];

/** The first thing in the text that may not be shown, or null. */
export function forbiddenIn(text: string): string | null {
  return rules.map((rule) => rule.exec(text)?.[0]).find((found) => found !== undefined) ?? null;
}
