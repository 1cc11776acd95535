// How a project's tests are run, as found in its manifests. Made by project-tests.ts and build-tests.ts, used by checks.ts.
import type { Command } from "../protocol/proposal.ts";

export interface ProjectTest {
  folder: string;
  argv: readonly string[];
  /** The command without what MiniCode adds to it. */
  label: string;
  /** Workspace files to bind beyond those that the words name. */
  inputs: readonly string[];
  scripts: Command["scripts"];
  /** Names of the files that this test is for, when a folder has several. */
  languages: RegExp;
}
