// Makes a program of a TypeScript file, because Node 20 cannot run one.
import { build } from "esbuild";

/** Bundles `entry` with everything it imports into the ES module file `outfile`. */
export async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // As in scripts/build.mjs: what was written for CommonJS still asks for Node's own modules.
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
    logLevel: "error",
  });
}
