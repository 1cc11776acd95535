// `npm run mini -- …`: rebuilds dist/ when a source is newer, then starts MiniCode where the user called npm.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = `${root}/dist/main.mjs`;

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(`${path}/${name}`)));
}

const stale =
  !existsSync(built) ||
  ["src", "package.json", "scripts/build.mjs"].some((p) => newest(`${root}/${p}`) > statSync(built).mtimeMs);
if (stale)
  execFileSync(process.execPath, [`${root}/scripts/build.mjs`], { stdio: ["ignore", "inherit", "inherit"] });

// npm runs scripts in the package's folder; the user meant the one they were in.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
await import("../bin/minicode.mjs");
