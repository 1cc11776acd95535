// The program's entry: argv in, exit code out. Bundled to dist/main.mjs and started by bin/minicode.mjs.
import { run } from "./cli/run.ts";

process.exitCode = await run(process.argv.slice(2), process);
