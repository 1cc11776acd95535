// Where MiniCode itself is installed: its shipped profiles are found from here, both from src/ and from the bundle in dist/.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of MiniCode's own package.json, looked for upwards from this file. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!isOurs(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("MiniCode's package.json is missing: the installation is damaged");
    folder = parent;
  }
  return folder;
}

function isOurs(manifest: string): boolean {
  if (!existsSync(manifest)) return false;
  const parsed: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  return typeof parsed === "object" && parsed !== null && "name" in parsed && parsed.name === "minicode";
}
