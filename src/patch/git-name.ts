// File names as git writes them in patches. Used by diff.ts.

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** `a/` or `b/` and the path; quoted as C text, bytes outside ASCII in octal, when a plain name would be ambiguous. */
export function gitName(prefix: string, path: string): string {
  const name = prefix + path;
  if (/^[ !#-[\]-~]*$/.test(name)) return name;
  const quoted = Array.from(Buffer.from(name, "utf8"), (byte) => {
    const character = String.fromCharCode(byte);
    if (byte >= 0x80 || byte === 0x7f) return octal(byte);
    return escapes[character] ?? (byte < 0x20 ? octal(byte) : character);
  });
  return `"${quoted.join("")}"`;
}

/** What ends a name in a `---` or `+++` line: a tab when the name has blanks, so that a date is not looked for in it. */
export function endOfGitName(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? "\t" : "";
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}
