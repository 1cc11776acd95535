// The model-facing text without the marks around a program's output, for tests that are about the rest.
export function unframed(text: string): string {
  return text
    .replace(/^--- output, data [0-9a-f]{8} ---\n/gm, "")
    .replace(/\n--- end of data [0-9a-f]{8} ---$/gm, "");
}
