// With which sandbox settings a test about processes runs: without one and, where bubblewrap works, in it.
import { probeSandbox } from "../../src/workspace/sandbox.ts";

const here = await probeSandbox("auto", process.env["PATH"] ?? "", []);

export const sandboxes: readonly ("off" | "require")[] = here.kind === "none" ? ["off"] : ["off", "require"];
