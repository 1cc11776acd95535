// Values deep in plain data, by the names on the way to them. Pure; used for settings by their dotted keys.

export type Data = Readonly<Record<string, unknown>>;

/** The value at `path`; undefined when there is none. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isData(value) ? value[name] : undefined), data);
}

/** A copy of `data` with `value` at `path`; what is there already keeps its place. */
export function withValue(data: Data, [name, ...rest]: readonly string[], value: unknown): Data {
  if (name === undefined) return data;
  const inner = data[name];
  return { ...data, [name]: rest.length === 0 ? value : withValue(isData(inner) ? inner : {}, rest, value) };
}

/** A copy of `data` without the value at `path`, nor objects that are empty without it. */
export function withoutValue(data: Data, [name, ...rest]: readonly string[]): Data {
  if (name === undefined) return data;
  const { [name]: inner, ...others } = data;
  if (rest.length === 0 || !isData(inner)) return others;
  const left = withoutValue(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...data, [name]: left };
}

function isData(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
