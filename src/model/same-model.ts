// Whether two names mean one model: servers take names in other forms than those they list. Used where a list is searched.

/** Gemini lists "models/NAME" and takes NAME; Ollama takes a name without its tag for the one tagged "latest". */
export function isSameModel(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(name: string): string {
  return name.replace(/^models\//, "").replace(/:latest$/, "");
}
