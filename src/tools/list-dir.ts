// The list_dir tool: one folder's entries. In every tool set.
import * as z from "zod";
import { safeLine } from "../policy/safe-text.ts";
import { type Entry, type Listing, listFolder } from "../workspace/list.ts";
import { result, type Tool } from "./contract.ts";

const input = z.strictObject({ path: z.string().optional() });
type Input = z.infer<typeof input>;

const maxIgnoredNames = 20;

export const listDirTool: Tool<Input> = {
  name: "list_dir",
  description: "List one folder (default: the workspace root): folders end in /, files with size.",
  input,
  effect: "read",
  limits: "one folder",
  label: ({ path }) => `list ${path ?? "."}`,
  async prepare({ path = "." }, { gate }) {
    const resolved = await gate.resolve(path);
    if (!resolved.ok) return { kind: "refused", refusal: resolved.refusal };
    return {
      kind: "read",
      paths: [resolved.value],
      async run() {
        const listed = await listFolder(gate, resolved.value);
        if (!listed.ok) return result(listed.refusal.outcome, listed.refusal.message);
        return result("ok", listingText(listed.value));
      },
    };
  },
};

function listingText({ path, entries, more, hidden, ignored }: Listing): string {
  const names = ignored.slice(0, maxIgnoredNames).map(safeLine);
  if (ignored.length > names.length) names.push(`${ignored.length - names.length} more`);
  const nothing = hidden + ignored.length === 0 ? `${path} is empty.` : `${path} has nothing to show.`;
  return [
    ...(entries.length === 0 ? [nothing] : entries.map(entryText)),
    ...(more > 0 ? [`(${more} more entries; use find_files with a pattern)`] : []),
    ...(names.length > 0 ? [`(ignored: ${names.join(", ")})`] : []),
    ...(hidden > 0 ? [`(${hidden} protected ${hidden === 1 ? "entry" : "entries"} not shown)`] : []),
  ].join("\n");
}

function entryText(entry: Entry): string {
  const name = safeLine(entry.name);
  switch (entry.kind) {
    case "folder":
      return `${name}/`;
    case "file":
      return `${name}  ${sizeText(entry.bytes)}`;
    case "link":
      return `${name} -> ${safeLine(entry.target)}  (link, not followed)`;
    case "other":
      return `${name}  (not a regular file)`;
  }
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const kilobytes = bytes / 1000;
  return kilobytes < 1000 ? `${kilobytes.toFixed(1)} kB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}
