// The program's entry: argv in, exit code out. Bundled to dist/main.mjs and started by bin/minicode.mjs.
import { run } from "./cli/run.ts";

// Node opens its inspector at this signal, and any program of the same user could send it: a child must not read our memory (D5).
process.on("SIGUSR1", () => {});

process.exitCode = await run(process.argv.slice(2), process);
