// Names that MiniCode never reads, lists or changes, in any folder. Asked by the path gate for every path.

/** `*` stands for any run of characters. Each rule counts for every component of a path, file or folder. */
const rules = [
  ...[".git", "git~1", ".ssh", ".aws", ".gnupg", ".kube", ".docker", ".minicode", ".minicodeignore"],
  ...[".env", ".env.*", ".env-*", ".env_*", ".env0", ".env1", ".env2", ".envrc", "*.env", ".dev.vars"],
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".netrc", "_netrc", ".git-credentials", ".pgpass"],
  ...["credentials*.json", "service-account*.json", "secrets.json", "secrets.yml"],
  ...["secrets.yaml", "secrets.toml", "*.tfvars", "*.tfstate", ".htpasswd"],
  ...["*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.ppk", "*.kdbx", "*.p8"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"],
].map((name) => ({ name, pattern: globToRegExp(name) }));

/** Templates that are committed to be read. */
const readable = /^\.env\.(?:.+\.)?(?:example|sample|template|dist)$/;

/** What editors, tools and people add to the name of a copy: `.env~`, `..env.swp`, `#.env#`, `.npmrc.bak`, `server.key copy`. */
function undecorated(name: string): string {
  return name
    .replace(/^\.(.+)\.sw[a-z]$/su, "$1")
    .replace(/^\.?#(.+?)#?$/su, "$1")
    .replace(/(?:~|\.(?:bak|backup|old|orig|save|tmp|copy|\d+)|[ _-]copy(?: ?\d+)?| ?\(\d+\))+$/su, "");
}

function globToRegExp(glob: string): RegExp {
  return new RegExp(`^${glob.replace(/[.]/g, "\\$&").replaceAll("*", ".*")}$`, "su");
}

/**
 * The name as the loosest file system may read it: Unicode forms and case folded ("ß" is "ss" on APFS), code points that
 * HFS+ skips dropped, and what Windows cuts off (trailing dots and spaces, `:stream`).
 */
function fold(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(/(?<=.):.*$/su, "")
    .replace(/[. ]+$/u, "");
}

/**
 * The rule that protects this workspace path, e.g. ".env" or "*.pem", or null. Whether the file exists does not matter.
 * A backslash separates too, so that nothing depends on who reads the name later.
 */
export function protectedBy(path: string): string | null {
  for (const part of path.split(/[/\\]/).map(fold)) {
    if (readable.test(part)) continue;
    const plain = undecorated(part);
    const rule = rules.find(({ pattern }) => pattern.test(part) || pattern.test(plain));
    if (rule !== undefined) return rule.name;
  }
  return null;
}
