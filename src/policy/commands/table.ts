// Every program that is known, by its plain name, and what an unknown one is. Used by command.ts and shell.ts.
import { git } from "./git.ts";
import { interpreter, node, python } from "./interpreters.ts";
import { packageManager } from "./packages.ts";
import { awk, command, date, echo, find, jq, rg, sed, tree } from "./special.ts";
import { readerRules, writerRules } from "./tools.ts";
import { always, one, onWords, type Place, type Rule, type Use, type Word } from "./use.ts";

const shells = words("sh bash zsh dash ash fish ksh csh tcsh cmd powershell pwsh busybox");
/** They take a whole command line as one word. */
const lineRunners = words("eval su ssh watch script flock parallel env entr");
const runners = words(
  "sudo doas xargs nohup timeout time nice ionice stdbuf setsid builtin exec unshare chroot strace ltrace gdb setpriv runuser taskset catchsegv chronic faketime firejail bwrap setarch linux32 linux64 i386 x86_64 prlimit chrt choom nsenter fakeroot fakechroot proot openvt rustup pyenv rbenv nodenv jenv mise asdf direnv nvm volta dotenv dotenvx cross-env env-cmd systemd-run run0 pkexec torsocks proxychains proxychains4 expect unbuffer tmux screen dbus-run-session xvfb-run",
);
/** Builtins that change what later words mean, and services that run something later. */
const changers = words(
  "source . alias unalias export unset set shopt declare typeset local readonly let read mapfile readarray getopts printf test [ trap hash enable bind complete compgen exit return break continue shift umask ulimit pushd popd dirs cd wait jobs fg bg disown history fc logout caller suspend at batch crontab systemctl service mount umount start",
);

const destroyers = words(
  "rm rmdir unlink shred dd mkfs truncate wipefs srm kill pkill killall shutdown reboot halt poweroff del rd erase format diskpart",
);
const cmdletsThatDestroy = words(
  "remove-item ri clear-content clear-item clear-recyclebin format-volume stop-process stop-computer restart-computer remove-itemproperty",
);
const cmdlets = words(
  "get-content gc get-childitem gci get-item set-content sc add-content ac new-item ni out-file copy-item move-item rename-item invoke-expression iex invoke-command icm start-process select-string set-location import-module set-executionpolicy cscript wscript reg",
);

const rules = new Map<string, Rule>([
  ...rows([...shells, ...lineRunners, ...runners], always("opaque")),
  ...rows([...changers, ...cmdlets], always("opaque")),
  ...rows(cmdletsThatDestroy, always("opaque", "destructive")),
  // Small languages that can run programs or write files from within an argument.
  ...rows(words("ed ex vi vim nvim nano emacs less more most man info yq m4 bc"), always("opaque")),
  ...rows(
    words("ln tar zip unzip gzip gunzip bzip2 xz zcat zgrep 7z cpio ar install patch split csplit"),
    always("opaque"),
  ),
  ...rows(destroyers, always("destructive")),
  ...readerRules,
  ...writerRules,
  ["echo", echo],
  ["find", find],
  ["tree", tree],
  ["rg", rg],
  ["sed", sed],
  ["jq", jq],
  ...rows(words("awk gawk mawk nawk"), awk),
  ["date", date],
  ["command", command],
  ["ssh", always("network", "opaque")],
  ...rows(words("curl wget ssh-keyscan scp sftp rsync nc ncat netcat socat telnet ftp"), always("network")),
  ...rows(
    words("ping traceroute dig nslookup host whois mail sendmail openssl aria2c http https"),
    always("network"),
  ),
  ...rows(words("apt apt-get dnf yum apk pacman brew snap docker podman kubectl helm"), always("network")),
  ...rows(words("gh glab aws gcloud az iwr irm invoke-webrequest invoke-restmethod"), always("network")),
  ...rows(words("npx pnpx bunx uvx pipx corepack"), always("network", "runs-project-code")),
  ...rows(
    words("npm pnpm yarn bun cargo go pip uv poetry pipenv conda gem bundle composer"),
    onWords(packageManager),
  ),
  ["git", onWords(git)],
  ...rows(words("node nodejs"), onWords(node)),
  ...rows(words("python pypy py"), onWords(python)),
  ...rows(
    words("ruby perl php lua luajit rscript osascript deno tsx ts-node java groovy julia r"),
    onWords(interpreter),
  ),
]);

const runsOther = new Map<string, "anywhere" | "after-exec" | "named">([
  ...[...shells, ...lineRunners, ...runners].map((name) => [name, "anywhere"] as const),
  ["find", "after-exec"],
  ["fd", "after-exec"],
  ["command", "named"],
]);
const readsText = new Set([...shells, ...lineRunners]);

const unknown: Rule = onWords((_, name) => {
  if (name === "") return [one("opaque", "(no program)")];
  return [name.startsWith("git-") ? one("opaque", name) : one("runs-project-code", name)];
});

/** What the words of one command come to, without the commands that stand inside them (see nested.ts). */
export function useOfWords(words: readonly Word[], place: Place): Use {
  const [first, ...args] = words;
  const word = first?.value ?? "";
  const name = programName(word);
  const use = (rules.get(name) ?? unknown)(args, name, place);
  const traits = use.traits.map(({ trait, because }) => one(trait, named(because, name)));
  if (/[/\\]/.test(word)) traits.push(one("runs-project-code", word));
  // "LS" and "ls-2" are other files than "ls".
  const harmless = traits.every(({ trait }) => trait === "reads" || trait === "writes");
  if (harmless && word !== name) traits.push(one("opaque", word));
  return { traits, touches: use.touches };
}

/** An option or one of git's verbs says little without the program: "sed -i", "git push". */
function named(because: string, program: string): string {
  const isPart = because !== program && (because.startsWith("-") || program === "git");
  return isPart ? `${program} ${because}` : because;
}

/** "/usr/bin/python3.11" and "Python.exe" are "python". */
function programName(word: string): string {
  const base = (word.split(/[/\\]/).at(-1) ?? "").toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
  const unversioned = base.replace(/-?\d+(?:\.\d+)*$/, "");
  return !rules.has(base) && rules.has(unversioned) ? unversioned : base;
}

/** How the words after this program's name may be another command: not at all (null), "named" unless it only looks it up. */
export function runsWords(program: string): "anywhere" | "after-exec" | "named" | null {
  return runsOther.get(programName(program)) ?? null;
}

/** Whether one of the words after this program's name may be a whole command line. */
export function runsText(program: string): boolean {
  return readsText.has(programName(program));
}

function rows(names: readonly string[], rule: Rule): [string, Rule][] {
  return names.map((name) => [name, rule]);
}

function words(text: string): string[] {
  return text.split(" ");
}
