// Keeps one huge line from filling a message to the model. Used by nearest.ts and diff.ts.

const maxLength = 300;

/** The line, or its first 300 characters and how many are left out. */
export function clipLine(line: string): string {
  if (line.length <= maxLength) return line;
  const start = line.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
  return `${start}… (${line.length - start.length} more characters)`;
}
