// Which of the user's places confined programs are not shown, and which they may write to fetch packages (D4). Used by sandbox.ts.
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { AppError } from "../util/errors.ts";
import { makeFolder } from "../util/make-folder.ts";

/** Below the home folder: keys, tokens, and what remembers them. */
const secrets = [
  ...[".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", ".oci", ".password-store", ".minicode"],
  ...[".claude", ".claude.json", ".codex", ".gemini", ".mozilla", ".thunderbird", ".vault-token"],
  ...[".netrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf"],
  ...[".gem/credentials", ".m2/settings.xml", ".m2/settings-security.xml"],
  ...[".terraformrc", ".terraform.d/credentials.tfrc.json", ".bash_history", ".zsh_history"],
  ...[".python_history", ".node_repl_history", ".psql_history", ".mysql_history"],
];
const secretsInConfig = [
  ...["minicode", "gh", "glab-cli", "hub", "gcloud", "op", "rclone", "doctl", "heroku", "sops"],
  ...["git/credentials", "containers/auth.json", "pypoetry/auth.toml", "google-chrome", "chromium"],
];
const secretsInData = ["minicode", "keyrings", "opencode", "kwalletd"];
/** What only root could read anyway. */
export const systemSecrets = [
  ...["/etc/shadow", "/etc/gshadow", "/etc/ssl/private"],
  ...["rsa", "ecdsa", "ed25519"].map((kind) => `/etc/ssh/ssh_host_${kind}_key`),
];
/** Variables that name such a place elsewhere. */
const secretVariables = [
  ...["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AZURE_CONFIG_DIR", "CLOUDSDK_CONFIG"],
  ...["DOCKER_CONFIG", "GNUPGHOME", "GOOGLE_APPLICATION_CREDENTIALS", "KUBECONFIG", "NETRC"],
  ...["NPM_CONFIG_USERCONFIG", "PGPASSFILE"],
];

/** Absolute paths, whether or not there is anything; a variable that names the home folder itself or one above is not followed. */
export function secretPlaces(home: string, env: NodeJS.ProcessEnv): string[] {
  const config = placeOf(env["XDG_CONFIG_HOME"], home, ".config");
  const data = placeOf(env["XDG_DATA_HOME"], home, ".local/share");
  const cargo = placeOf(env["CARGO_HOME"], home, ".cargo");
  const gradle = placeOf(env["GRADLE_USER_HOME"], home, ".gradle");
  const named = secretVariables.flatMap((name) => (env[name] ?? "").split(":"));
  return [
    ...secrets.map((name) => join(home, name)),
    ...[join(home, ".config"), config].flatMap((folder) => secretsInConfig.map((name) => join(folder, name))),
    ...[join(home, ".local/share"), data].flatMap((folder) =>
      secretsInData.map((name) => join(folder, name)),
    ),
    ...["credentials", "credentials.toml"].map((name) => join(cargo, name)),
    join(gradle, "gradle.properties"),
    ...named.filter((path) => path.startsWith("/") && !`${home}/`.startsWith(`${path.replace(/\/+$/, "")}/`)),
  ];
}

function placeOf(value: string | undefined, home: string, fallback: string): string {
  return value !== undefined && isAbsolute(value) ? value : join(home, fallback);
}

export interface Place {
  /** Real: bubblewrap cannot mount on a link. */
  path: string;
  isFolder: boolean;
}

/** What is there now of these paths, each once. A link stands for what it leads to. */
export function presentPlaces(paths: readonly string[]): Place[] {
  const found = new Map<string, Place>();
  for (const given of paths) {
    try {
      const path = realpathSync(given);
      found.set(path, { path, isFolder: statSync(path).isDirectory() });
    } catch {
      // Nothing there, or nothing that this user could reach.
    }
  }
  return [...found.values()];
}

interface Cache {
  path: string;
  /** The package managers that cannot do without it. */
  users: RegExp;
}

/** What package managers must write when they may fetch. Folders that hold programs of the user's PATH are left out. */
function cachePlaces(home: string, env: NodeJS.ProcessEnv): Cache[] {
  const below = (name: string, fallback: string): string => placeOf(env[name], home, fallback);
  return [
    { path: join(home, ".npm"), users: /\bnp[mx]\b/ },
    { path: below("XDG_CACHE_HOME", ".cache"), users: /\b(?:pip3?|uv|poetry|yarn|pnpm|go|deno)\b/ },
    { path: join(home, ".local/share/pnpm/store"), users: /\bpnpm\b/ },
    { path: join(home, ".yarn/berry"), users: /\byarn\b/ },
    { path: join(below("BUN_INSTALL", ".bun"), "install/cache"), users: /\bbunx?\b/ },
    { path: join(below("CARGO_HOME", ".cargo"), "registry"), users: /\bcargo\b/ },
    { path: join(below("CARGO_HOME", ".cargo"), "git"), users: /\bcargo\b/ },
    { path: join(below("GOPATH", "go"), "pkg"), users: /\bgo\b/ },
    { path: join(home, ".m2/repository"), users: /\bmvnw?\b/ },
    { path: below("GRADLE_USER_HOME", ".gradle"), users: /\bgradlew?\b/ },
    { path: join(home, ".nuget"), users: /\bdotnet\b/ },
    { path: join(home, ".gem"), users: /\bgem\b|\bbundle\b/ },
    { path: join(home, ".bundle"), users: /\bbundle\b/ },
  ];
}

/** The caches there are, after those were made that the command's words name a user of. A link stands for what it leads to. */
export function writableCaches(home: string, env: NodeJS.ProcessEnv, argv: readonly string[]): Place[] {
  const words = argv.join(" ");
  const caches = cachePlaces(home, env);
  for (const { path, users } of caches) if (users.test(words)) makeWherePossible(path);
  return presentPlaces(caches.map(({ path }) => path));
}

function makeWherePossible(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    // The package manager will say so itself.
    if (!(error instanceof AppError)) throw error;
  }
}
