// A temporary folder with a workspace `ws` in it, for tests of what touches files.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TestFolder {
  /** Holds the workspace and whatever must lie outside of it. */
  base: string;
  ws: string;
  write(path: string, content: string | Uint8Array, mode?: number): string;
  read(path: string): string;
  /** Every path below the workspace with its content; a folder ends in "/". */
  tree(): Record<string, string>;
  remove(): void;
}

/** Paths are relative to the workspace; "../x" lies beside it. */
export function testFolder(): TestFolder {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "minicode-ws-")));
  const ws = join(base, "ws");
  mkdirSync(ws);
  return {
    base,
    ws,
    write(path, content, mode = 0o644) {
      const file = join(ws, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { mode });
      return file;
    },
    read: (path) => readFileSync(join(ws, path), "utf8"),
    tree() {
      const found: Record<string, string> = {};
      for (const entry of readdirSync(ws, { recursive: true, encoding: "utf8" })) {
        const stat = lstatSync(join(ws, entry));
        if (stat.isDirectory()) found[`${entry}/`] = "";
        else found[entry] = stat.isFile() ? readFileSync(join(ws, entry), "utf8") : "(special)";
      }
      return found;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
