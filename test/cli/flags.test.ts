// argv to flags: what is read, what is refused, and what the refusal says.
import { describe, expect, it } from "vitest";
import { checkCommand, commandNames, flagTable, readFlags } from "../../src/cli/flags.ts";
import { helpText } from "../../src/cli/help.ts";
import { AppError } from "../../src/util/errors.ts";

function refusal(argv: string[]): AppError {
  try {
    readFlags(argv);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error(`${argv.join(" ")} was not refused`);
}

describe("read", () => {
  it("nothing gives the defaults", () => {
    expect(readFlags([])).toMatchObject({ print: false, guided: false, "output-format": "text", words: [] });
  });

  it.each([
    [["-p", "why"], { print: true, words: ["why"] }],
    [["why", "--print"], { print: true, words: ["why"] }],
    [["-pc", "why"], { print: true, continue: true, words: ["why"] }],
    [["--mode=edit"], { mode: "edit" }],
    [["--mode", "propose"], { mode: "propose" }],
    [["--yes", "plan,run"], { yes: ["plan", "run"] }],
    [["--yes", " plan, apply ,run,"], { yes: ["plan", "apply", "run"] }],
    [["--max-steps", "7", "--timeout", "1.5"], { "max-steps": 7, timeout: 1.5 }],
    [["--max-steps", "7", "--max-steps", "8"], { "max-steps": 8 }],
    [["--resume", "x"], { resume: "x" }],
    [["--script=-weird.json"], { script: "-weird.json" }],
    [["-p", "--", "--not a flag"], { print: true, words: ["--not a flag"] }],
    [["-p", "a -b"], { words: ["a -b"] }],
  ])("%j", (argv, expected) => {
    expect(readFlags(argv)).toMatchObject(expected);
  });
});

describe("refused", () => {
  it.each([
    [["--gided"], "unknown option --gided", "Did you mean --guided?"],
    [["--max_steps", "3"], "unknown option --max_steps", "Did you mean --max-steps?"],
    [["-x"], "unknown option -x", 'Text that begins with "-" goes after a separate --.'],
    [["--__proto__"], "unknown option --__proto__", "--help"],
    [["--guided=yes"], "--guided takes no value", ""],
    [["--mode"], "--mode needs a value: --mode MODE", ""],
    [["--mode", "--guided"], "--mode needs a value", "--mode=--guided"],
    [["--mode", "write"], "--mode: must be one of read, propose, edit", ""],
    [["--yes", "plan,aply"], '"aply" is none of plan, apply, run', ""],
    [["--yes", ""], "--yes: ", "plan, apply, run"],
    [["--max-steps", "0"], "--max-steps: must be more than 0", ""],
    [["--max-steps", "2.5"], "--max-steps: must be a whole number", ""],
    [["--max-steps", "many"], "--max-steps: must be a number", ""],
    [["--profile", ""], "--profile: must not be empty", ""],
    [["--resume="], "--resume: must not be empty", ""],
    [["--max-steps="], "--max-steps: ", ""],
    [["--timeout", "-1"], "--timeout needs a value", ""],
    [["--timeout=Infinity"], "--timeout: ", ""],
    [["--output-format", "xml"], "--output-format: ", ""],
  ])("%j", (argv, message, hint) => {
    const error = refusal(argv);
    expect(error).toMatchObject({ code: "E_USAGE" });
    expect(error.message).toContain(message);
    expect(`${error.message} ${error.hint}`).toContain(hint);
  });
});

describe("a flag that the command does not heed is refused", () => {
  it.each([
    [["--yes", "run"], "session", "--yes goes with minicode -p"],
    [["--mode", "edit"], "demo", "--mode goes with minicode at a terminal, minicode -p"],
    [["--offline"], "verify", "--offline goes with "],
    [["--auto"], "print", "--auto goes with minicode --demo"],
    [["--output-format", "json"], "tools", "--output-format goes with minicode -p"],
    [["--workspace", "."], "models", "--workspace goes with"],
  ] as const)("%j with %s", (argv, command, message) => {
    const flags = readFlags(argv);
    expect(() => checkCommand(flags, command)).toThrow(message);
  });

  it("and what was not written is not", () => {
    for (const command of commandNames) expect(() => checkCommand(readFlags([]), command)).not.toThrow();
  });
});

it("the help names every flag and every exit code", () => {
  const help = helpText();
  for (const { name } of flagTable) expect(help).toContain(`--${name}`);
  for (const code of [0, 1, 2, 3, 4, 5, 53, 75, 130]) expect(help).toMatch(new RegExp(`(^|[^\\d])${code} `));
});
