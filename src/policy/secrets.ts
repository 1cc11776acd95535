// Known key values never reach the record, the screen or the model (design §10). Pure.

/** Shorter values would blank out ordinary words. */
const MIN_LENGTH = 6;

export interface Redactor {
  text(text: string): string;
  /** The same for a program's output, whatever its encoding: keys are ASCII. */
  bytes(bytes: Buffer): Buffer;
}

/** Replaces each of the given values, longest first, by `<redacted>`. */
export function redactorFor(values: readonly (string | undefined)[]): Redactor {
  const known = values
    .filter((v) => v !== undefined)
    .filter((v) => v.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length);
  const text = (given: string): string =>
    known.reduce((clean, value) => clean.replaceAll(value, "<redacted>"), given);
  return {
    text,
    bytes: (given) =>
      known.some((value) => given.includes(value))
        ? Buffer.from(text(given.toString("latin1")), "latin1")
        : given,
  };
}
