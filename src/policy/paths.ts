// From what the model wrote to a workspace path, by text alone. Used by the path gate, which then walks to it.
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ok, type Result, refuse } from "../protocol/refusal.ts";

const homePrefix = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;
const otherHome = /^~[^/]+\//;

/**
 * The workspace path that `input` names: POSIX, relative, "." for the root, without ".." and without a trailing "/".
 * Relative input counts from `root`; absolute input is taken when it lies inside `root` by components; "~" (and $HOME)
 * means `home`, never a folder of that name. `root` and `home` are absolute. A workspace path parses to itself.
 */
export function parsePath(input: string, root: string, home: string): Result<string> {
  if (input.trim() === "") return refuse("invalid", 'The path is empty. Use "." for the workspace root.');
  if (input.includes("\0")) return refuse("invalid", "The path has a NUL character in it.");
  if (otherHome.test(input)) return refuse("blocked", `${input} is outside the workspace (${root}).`);
  const absolute = resolve(
    root,
    input.replace(homePrefix, () => home),
  );
  const inside = relative(root, absolute);
  if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return refuse("blocked", `${absolute} is outside the workspace (${root}). Use a path inside it.`);
  }
  const path = inside.split(sep).join("/");
  if (homePrefix.test(path) || otherHome.test(path)) {
    return refuse(
      "blocked",
      `${path} cannot be used: a path that starts with "~" or $HOME means a home folder.`,
    );
  }
  return ok(path === "" ? "." : path);
}
