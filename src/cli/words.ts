// Breaks lines between words, for tables on a plain terminal. Pure; used by the commands that print them.

/** `text` in lines of at most `width` characters; only a word that is longer than that is broken itself. At least one line. */
export function wrapWords(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = "";
  for (let word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = "";
    }
    while (word.length > room) {
      lines.push(word.slice(0, room));
      word = word.slice(room);
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
