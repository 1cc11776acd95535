// What a program with its arguments can do, as a set of traits with the word that shows each (design §8).
// What these tables do not fully know is never called harmless. Used by the tools that run programs.
import type { Trait, TraitName } from "../protocol/proposal.ts";
import { type Classify, git, interpreter, node, one, packageManager, python } from "./command-rules.ts";

/**
 * At least one trait for every argv. Words added at the end never take away "opaque" or "destructive".
 * A name with a folder in it (`./ls`) is some file's name: it may run anything, whatever else the name says.
 */
export function classifyArgv(argv: readonly string[]): Trait[] {
  const [first = "", ...args] = argv;
  const name = programName(first);
  const traits = (rules.get(name) ?? unknown)(args, name);
  if (/[/\\]/.test(first)) traits.push(one("runs-project-code", first));
  return traits.filter(({ trait }, i) => traits.findIndex((other) => other.trait === trait) === i);
}

/** "/usr/bin/python3.11" and "Python.exe" are "python". */
function programName(word: string): string {
  const base = (word.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
  const unversioned = base.replace(/-?\d+(?:\.\d+)*$/, "");
  return !rules.has(base) && rules.has(unversioned) ? unversioned : base;
}

const unknown: Classify = (_, name) => {
  if (name === "") return [one("opaque", "(no program)")];
  return [name.startsWith("git-") ? one("opaque", name) : one("runs-project-code", name)];
};

/** What runs another program. Its words may destroy; what else they do is not looked into. */
const wrapper: Classify = (args, name) => {
  const inner = args.find((word) => destroyers.includes(programName(word)));
  return [one("opaque", name), ...(inner === undefined ? [] : [one("destructive", inner)])];
};

/** A simple tool: its trait alone, as long as no word leads out of the workspace or is an option that does more. */
function simple(trait: TraitName, more = /^(?!)/): Classify {
  return (args, name) => {
    const word = args.find((arg) => leadsOut(arg) || more.test(arg));
    return [one(trait, name), ...(word === undefined ? [] : [one("opaque", word)])];
  };
}

/** Absolute, with "..", or with a home folder, also behind an option's "=". */
function leadsOut(word: string): boolean {
  return /^(?:-[^=]*=)?(?:[/~\\]|[A-Za-z]:[/\\])|(?:^|[/\\=])\.\.(?:[/\\]|$)/.test(word);
}

function always(...traits: TraitName[]): Classify {
  return (_, name) => traits.map((trait) => one(trait, name));
}

const destroyers = words(
  "rm rmdir unlink shred dd mkfs truncate wipefs srm kill pkill killall shutdown reboot halt del rd",
);

const rules = new Map<string, Classify>([
  ...rows("sh bash zsh dash ash fish ksh csh tcsh cmd powershell pwsh eval exec source busybox", wrapper),
  ...rows(
    "env sudo doas su xargs nohup timeout time nice ionice stdbuf setsid script watch parallel",
    wrapper,
  ),
  ...rows(
    "command builtin unshare chroot strace gdb ltrace flock find at batch crontab systemctl mount",
    wrapper,
  ),
  // Small languages that can run programs or write files from within an argument.
  ...rows("awk gawk mawk sed ed ex vi vim nvim emacs tar zip unzip less more man jq yq", always("opaque")),
  ...rows(destroyers.join(" "), always("destructive")),
  ...rows("cp mv mkdir touch ln chmod chown tee", simple("writes")),
  ...rows("ls pwd cat head tail wc stat du df basename dirname realpath readlink", simple("reads")),
  ...rows("echo printf true false test seq which uname whoami id nproc", simple("reads")),
  ...rows("cmp comm cut nl od tr strings md5sum sha1sum sha256sum cksum diff", simple("reads")),
  ...rows("grep egrep fgrep", simple("reads", /^-(?:[^-]*[rRd]|-(?:r|d))/)),
  ...rows("rg", simple("reads", /^-(?:[^-]*[uzL.]|-(?:pre|host|no-ig|hid|unr|search-z|fol))/)),
  ...rows("curl wget ssh scp sftp rsync nc ncat netcat telnet ftp ping dig nslookup host", always("network")),
  ...rows("apt apt-get dnf yum apk pacman brew docker podman kubectl gh aws gcloud az", always("network")),
  ...rows("npx pnpx bunx uvx pipx corepack", always("network", "runs-project-code")),
  ...rows("pip uv poetry pipenv conda gem bundle composer", packageManager),
  ...rows("npm pnpm yarn cargo go", packageManager),
  ...rows("git", git),
  ...rows("node nodejs", node),
  ...rows("python pypy py", python),
  ...rows("ruby perl php lua luajit rscript osascript deno bun tsx ts-node java groovy julia r", interpreter),
]);

function rows(names: string, rule: Classify): [string, Classify][] {
  return words(names).map((name) => [name, rule]);
}

function words(text: string): string[] {
  return text.split(" ");
}
