// Says when a failure may be the sandbox's doing, so that nobody looks for it in the code. Used by command-report.ts.
import type { Confinement } from "../protocol/proposal.ts";

const noNetwork =
  /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|EHOSTUNREACH)\b|Network is unreachable|Connection refused|(?:Could not|couldn't|failed to|unable to) resolve|Temporary failure in name resolution|Name or service not known/i;
const readOnly = /\bEROFS\b|Read-only file system/i;

/** One line for each reason why a failed program's output reads as if the sandbox had stopped it. */
export function sandboxHints(sandbox: Confinement, output: string): string[] {
  if (sandbox.kind === "none") return [];
  const { network, git } = sandbox;
  const gitToo = git === "read-only" ? ", and not in .git" : "";
  return [
    ...(!network && noNetwork.test(output)
      ? [
          "(The sandbox has no network: nothing outside of it can be reached, not even services on this machine. A command gets " +
            "the network when its own words show that it needs it, as in npm install or curl. The user can turn the sandbox off.)",
        ]
      : []),
    ...(readOnly.test(output)
      ? [
          `(The sandbox lets programs write in the workspace and in /tmp only${gitToo}. The user can turn it off.)`,
        ]
      : []),
  ];
}
