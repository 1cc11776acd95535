// Fuzz target: command lines from a grammar and mutations of them. What would run without a question is given to real bash,
// which must run exactly the commands that were seen, and change nothing.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { cpus } from "node:os";
import { classifyShell } from "../../src/policy/shell.ts";
import { changedByRunning, fault, hasBox, isApproved, judge } from "../policy/oracle.ts";
import { type Random, randomFrom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

type Choices = readonly [string, ...string[]];

function words(text: string): Choices {
  const [first = "", ...rest] = text.split(" ");
  return [first, ...rest];
}

const readers = words(
  "ls cat head tail wc grep rg find sort uniq cut diff stat file du tree pwd echo tr sed jq date command type true nl xxd basename cd which comm rev tac od join paste fold awk md5sum cmp readlink realpath id uname df hexdump column expand shasum cksum hostname",
);
const others = words(
  "rm git sh bash eval printf read test [ exec env sudo xargs tee cp mv touch node ./x x evil . source let declare export unset time if for while { ( ! [[ (( function coproc case select trap alias printf builtin",
);
const options = words(
  "-l -la -n -n1 -20 -r -i -c -o -e -v -f -d -name -type -exec -delete -print -fprint -o=x -oOUT --output=x --files0-from=a --pre=./x -- - -maxdepth 1 -k2 -R --color=auto --recursive -print0 -I -L",
);
const operands = words(
  "a b keep file.txt src src/a.ts dir/ . ./a .. ../x /etc/passwd ~ ~/x .env .git/config *.ts src/*.ts [ab] ?? {a,b} {} a~b x=1 a#b #a %d 1p 1,3p .scripts foo /dev/null -o.txt 'a[$(x)]' a[$(x)]",
);
const folders = words("src dir sub src/deep . nowhere .. / ~ - .git src/.. a x\\ y 'src' \"dir\" $x");
const expansions = words(
  "$x ${x} ${x@P} ${x:-$(x)} $(x) `x` $((1+1)) $((a[$(x)])) <(x) >(x) $'\\x72m' $\"x\" !! ${IFS} $@ ~+ \\$x \\`x\\`",
);
const separators: Choices = [
  "; ",
  " && ",
  " || ",
  " | ",
  "\n",
  " & ",
  ";",
  "|",
  "&&",
  "||",
  " |& ",
  ";;",
  "\n\n",
  " ;\n",
  "&",
];
const redirects = words(
  "2>&1 2>/dev/null >/dev/null <a >out >>out 2>out <<<x <<E &>out >|out <>a 1>&2 >&2 >&out 3>a {f}>a 2>&- </dev/null >&1a",
);
const nasty: Choices = [
  "'",
  ...'"\\$`!#;&|<>(){}[]*?~=%^,.:@+-/ \t\n\r\v\f',
  ...[
    "\\\n",
    "$(",
    "${",
    "((",
    "'$'",
    "''",
    '""',
    "\\'",
    "\u00a0",
    "\u2028",
    "é",
    "\u0085",
    "\x1b",
    "\x7f",
    " #",
    "$'",
    "!(",
  ],
];

/** One to three letters as one option, with something behind it now and then: what a table may have wrong. */
function cluster(random: Random): string {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  let option = "-";
  for (let i = random.number(3); i >= 0; i--) option += letters.charAt(random.number(letters.length));
  return random.oneIn(6) ? `${option}${random.pick(operands)}` : option;
}

function word(random: Random): string {
  const pick = random.number(20);
  if (random.oneIn(8)) return cluster(random);
  const plain =
    pick < 7 ? random.pick(options) : pick < 17 ? random.pick(operands) : random.pick(words("foo bar baz"));
  if (pick === 19 && random.oneIn(2)) return random.pick(expansions);
  switch (random.number(14)) {
    case 0:
      return `'${plain}'`;
    case 1:
      return `"${plain}"`;
    case 2:
      return `${plain.slice(0, 1)}''${plain.slice(1)}`;
    case 3:
      return `\\${plain}`;
    case 4:
      return `'${plain} ${random.pick(operands)}'`;
    case 5:
      return `"${plain}\\${random.pick(nasty)}"`;
    default:
      return plain;
  }
}

function command(random: Random): string {
  const name = random.oneIn(12) ? random.pick(others) : random.pick(readers);
  const parts = [random.oneIn(40) ? `x=${random.pick(operands)} ${name}` : name];
  for (let i = random.number(4); i > 0; i--) parts.push(word(random));
  if (random.oneIn(8)) parts.splice(random.number(parts.length + 1), 0, random.pick(redirects));
  return parts.join(random.oneIn(12) ? random.pick(["  ", "\t", " \t "]) : " ");
}

function line(random: Random): string {
  let text = random.oneIn(6) ? `cd ${random.pick(folders)}${random.pick(separators)}` : "";
  text += command(random);
  for (let i = random.number(4); i > 0; i--) text += random.pick(separators) + command(random);
  if (random.oneIn(25))
    text = random.pick([
      `(${text})`,
      `{ ${text}; }`,
      `! ${text}`,
      `$(${text})`,
      `if ${text}; then x; fi`,
      `${text} #`,
      `# ${text}`,
      `time ${text}`,
    ]);
  return text;
}

function mutated(text: string, random: Random): string {
  const at = random.number(text.length + 1);
  switch (random.number(5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random.number(3));
    case 1:
      return text.slice(0, at) + text.slice(random.number(text.length + 1));
    case 2: {
      const end = at + random.number(8);
      return text.slice(0, end) + text.slice(at);
    }
    default:
      return text.slice(0, at) + random.pick(nasty) + text.slice(at);
  }
}

/** One reader with options that its table may have wrong, and a second operand that some tools write. */
function audit(random: Random): string {
  const names = [random.pick(["a", "b", "src", "1", "-"]), random.pick(["out", "b", "new/x"])];
  const options = random.oneIn(2) ? [cluster(random)] : [cluster(random), cluster(random)];
  const order = random.number(3);
  const placed =
    order === 0
      ? [...options, ...names]
      : order === 1
        ? [...names, ...options]
        : [names[0], ...options, names[1]];
  return [random.pick(readers), ...placed].join(" ");
}

function input(random: Random): string {
  let text = line(random);
  for (let i = random.oneIn(2) ? random.number(4) : 0; i > 0; i--) text = mutated(text, random);
  return text;
}

/** Texts that one bash process judges; what is changed in the folder is seen for all of them together. */
const batchSize = 1500;
/** Of the approved lines so many are run with the real programs too, which is slow; of the audits all are. */
const oneRunIn = 8;
/** So many of the inputs are audits. */
const oneAuditIn = 8;

interface Pending {
  text: string;
  /** It is run with the real programs too. */
  forReal: boolean;
}

export const classifierTarget: FuzzTarget = {
  name: "classifier",
  async run(runs, seed) {
    const random = randomFrom(seed);
    const failures: string[] = [];
    let approved = 0;
    let executed = 0;
    const times: number[] = [];
    let pending: Pending[] = [];
    const judging = new Set<Promise<void>>();

    async function check(lines: readonly Pending[]): Promise<void> {
      const texts = lines.map(({ text }) => text);
      const sample = hasBox() ? lines.flatMap(({ text, forReal }) => (forReal ? [text] : [])) : [];
      executed += sample.length;
      const written = sample.length > 0 ? await changedByRunning(sample) : [];
      if (written.length > 0) failures.push(`${written.join(", ")} by one of ${JSON.stringify(sample)}`);
      const { ran, changed } = await judge(texts);
      for (const [i, text] of texts.entries()) {
        const wrong = fault(text, ran[i] ?? []);
        if (wrong !== null) failures.push(wrong);
      }
      if (changed.length > 0) failures.push(`${changed.join(", ")} after one of ${JSON.stringify(texts)}`);
    }

    async function flush(): Promise<void> {
      const work: Promise<void> = check(pending).finally(() => judging.delete(work));
      pending = [];
      judging.add(work);
      if (judging.size >= cpus().length) await Promise.race(judging);
    }

    for (let i = 0; i < runs; i++) {
      const audited = random.oneIn(oneAuditIn);
      const text = audited ? audit(random) : input(random);
      const forReal = audited || random.oneIn(oneRunIn);
      const start = performance.now();
      const passes = isApproved(text);
      times.push(performance.now() - start);
      if (classifyShell(text).traits.length === 0) failures.push(`${JSON.stringify(text)} has no trait`);
      if (!passes) continue;
      approved++;
      pending.push({ text, forReal });
      if (pending.length >= batchSize) await flush();
    }
    if (pending.length > 0) await flush();
    await Promise.all(judging);
    times.sort((a, b) => a - b);
    const p99Us = Math.round((times[Math.floor(runs * 0.99)] ?? 0) * 1000);
    return { runs, failures, figures: { approved, executed, p99Us } };
  },
};
