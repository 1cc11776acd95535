// JSON as models write it: fenced, or as a JSON string. Used where a call's arguments are read, and where they are sent again.

type LooseJson =
  | { ok: true; value: unknown /** The JSON text of `value`. */; json: string }
  | { ok: false; why: string };

/** The value in `raw`, also inside a code fence, and an object or list also as JSON within a JSON string. */
export function readLooseJson(raw: string): LooseJson {
  let why = "";
  for (const json of [raw, raw.replace(/^\s*```\w*\s*\n([\s\S]*?)\n?\s*```\s*$/, "$1")]) {
    try {
      const value: unknown = JSON.parse(json);
      return typeof value === "string" && /^\s*[{[]/.test(value)
        ? readLooseJson(value)
        : { ok: true, value, json };
    } catch (error) {
      why ||= error instanceof Error ? error.message : String(error);
    }
  }
  return { ok: false, why };
}
