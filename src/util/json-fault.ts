// Where text stops being JSON, in words for its author: JSON.parse does not always say, and quotes what it read. Used by read-json.ts.

const blank = /[ \t\r\n]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const plain = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

type Wanted = "a value" | "a name in double quotes" | '":"' | "the end" | '"," or "}"' | '"," or "]"';

/** Such as `line 3, column 5: expected ":"`; undefined when all of it is JSON. */
export function jsonFault(text: string): string | undefined {
  let at = 0;
  const open: ("{" | "[")[] = [];
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found !== undefined;
  };
  const skipMark = (mark: string): boolean => {
    skip(blank);
    const there = text.startsWith(mark, at);
    if (there) at += mark.length;
    return there;
  };
  const afterValue = (): Wanted => {
    const inside = open.at(-1);
    if (inside === undefined) return "the end";
    return inside === "{" ? '"," or "}"' : '"," or "]"';
  };
  const close = (): Wanted => {
    open.pop();
    return afterValue();
  };

  let wanted: Wanted = "a value";
  for (;;) {
    skip(blank);
    const before = at;
    switch (wanted) {
      case "a value":
        if (skipMark("{")) {
          open.push("{");
          wanted = skipMark("}") ? close() : "a name in double quotes";
        } else if (skipMark("[")) {
          open.push("[");
          if (skipMark("]")) wanted = close();
        } else if (skip(string) || skip(plain)) {
          wanted = afterValue();
        }
        break;
      case "a name in double quotes":
        if (skip(string)) wanted = '":"';
        break;
      case '":"':
        if (skipMark(":")) wanted = "a value";
        break;
      case '"," or "}"':
        if (skipMark(",")) wanted = "a name in double quotes";
        else if (skipMark("}")) wanted = close();
        break;
      case '"," or "]"':
        if (skipMark(",")) wanted = "a value";
        else if (skipMark("]")) wanted = close();
        break;
      case "the end":
        if (at === text.length) return undefined;
        break;
    }
    if (at === before) return `${placeOf(text, at)}: expected ${wanted}`;
  }
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}
