// The text of --help, made from the flag table so that it cannot lag behind.
import { flagTable } from "./flags.ts";

export function helpText(): string {
  const rows = flagTable.map(({ name, short, value, help }) => {
    const flag = `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`;
    return `  ${flag.padEnd(28)} ${help}`;
  });
  return [
    "MiniCode: the model proposes, you see exactly what would happen and say the word, exactly that happens.",
    "",
    "Usage:",
    "  minicode [options]                 work in this folder, interactively",
    '  minicode -p "PROMPT" [options]     answer one prompt and exit',
    "  minicode --demo [--auto]           a whole guided job, offline; --auto gives the words",
    "  minicode setup                     choose a model, with a few questions",
    "  minicode doctor [--online]         check this machine, the configuration and the model",
    "  minicode models                    what the profile's server offers",
    "  minicode tools                     what the model may call, with bounds and parameters",
    "  minicode config [list|get|set|…]   the settings, each with who said so; config path: where they are",
    "  minicode verify [SESSION]          check a session's record (default: the latest)",
    "  minicode script [SESSION]          a session's answers as a script to play again, for a bug report",
    "",
    "Options:",
    ...rows,
    "",
    "Exit codes:",
    "  0 done (and verified, if something was changed) · 1 failure · 2 usage · 3 refused, or nobody could approve",
    "  4 changed but unverified · 5 check failed · 53 budget used up · 75 model failed, try again · 130 interrupted",
    "",
  ].join("\n");
}
