// A command line as the permissions see it, at its most permissive: mode trusted, a rule that allows everything, no sandbox. And what
// real bash makes of it. Used by the threats to the shell classifier.
import { type CommandClass, classOf } from "../../src/policy/command-class.ts";
import { permit } from "../../src/policy/rules.ts";
import { classifyShell } from "../../src/policy/shell.ts";
import { judge } from "../policy/oracle.ts";

export interface Seen {
  class: CommandClass;
  /** `trait(word)` of each trait. */
  traits: string[];
  /** What happens in the default mode, and with everything loosened that a user can loosen. */
  byDefault: "pass" | "ask" | "deny";
  loosened: "pass" | "ask" | "deny";
}

export function seen(text: string): Seen {
  const { traits, parts, found } = classifyShell(text);
  const programs = parts.flatMap(({ argv }) => (argv === null ? [] : [argv]));
  const request = {
    tool: "run_shell",
    kind: "effect",
    traits: traits.map(({ trait }) => trait),
    found,
    programs: programs.length === parts.length ? programs : null,
    paths: [],
    trees: [],
  } as const;
  const situation = { always: new Map(), guided: false, tainted: false } as const;
  return {
    class: classOf(traits),
    traits: traits.map(({ trait, because }) => `${trait}(${because})`),
    byDefault: permit(request, { ...situation, mode: "auto-read", rules: [] }).verdict,
    loosened: permit(request, {
      ...situation,
      mode: "trusted",
      rules: [{ effect: "allow", tool: "*" }],
    }).verdict,
  };
}

/** Whether the text asks whatever the user has loosened: it is opaque or destructive. */
export function alwaysAsks(text: string): boolean {
  const { byDefault, loosened } = seen(text);
  return byDefault === "ask" && loosened === "ask";
}

/** The programs that real bash would run for the text, by name; none of them is run. */
export async function inBash(text: string): Promise<string[]> {
  const { ran } = await judge([text]);
  return (ran[0] ?? []).map(({ argv }) => argv[0] ?? "");
}
