// Files that other programs act on by themselves, without anyone running them: hooks, editor tasks, orders to agents (TH46). Asked
// by the permission rules, the command tables and the patch tools.

/** Each for any folder of a path; a pattern that ends in "/" means everything below. */
const kinds: readonly { how: string; what: RegExp }[] = [
  {
    how: "git runs it as a hook",
    what: /(?:^|\/)(?:\.husky|\.githooks)\/|(?:^|\/)(?:\.?lefthook(?:-local)?|\.pre-commit-config)\.ya?ml$/,
  },
  {
    how: "editors act on it by themselves",
    what: /(?:^|\/)(?:\.vscode|\.idea|\.fleet|\.zed|\.devcontainer)\/|\.code-workspace$|(?:^|\/)\.devcontainer\.json$/,
  },
  { how: "shells run it on entering the folder", what: /(?:^|\/)(?:\.envrc|mise\.toml|\.mise\.toml)$/ },
  {
    how: "coding agents take orders from it",
    what: /(?:^|\/)(?:\.agents?|\.claude|\.cursor|\.codex|\.gemini|\.windsurf)\/|(?:^|\/)(?:\.mcp\.json|\.cursorrules|\.windsurfrules|agents(?:\.\w+)?\.md|claude(?:\.\w+)?\.md|gemini\.md|copilot-instructions\.md)$/,
  },
  {
    how: "the build server runs what it says",
    what: /(?:^|\/)(?:\.github\/(?:workflows|actions)|\.circleci|\.buildkite)\/|(?:^|\/)(?:\.gitlab-ci\.yml|azure-pipelines\.yml|jenkinsfile)$/,
  },
];

/** What happens with a file at this workspace path without anyone asking, as a clause; null for every other. It need not exist yet. */
export function actedOnBy(path: string): string | null {
  const folded = path.normalize("NFKC").toLowerCase().replaceAll("\\", "/");
  return kinds.find(({ what }) => what.test(folded))?.how ?? null;
}
