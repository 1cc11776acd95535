// Files that other programs act on by themselves, without anyone running them: hooks, editor tasks, orders to agents (TH46). Asked
// by the permission rules, the command tables and the patch tools.

/** Folders and names, at any depth; "*" stands for any run of characters but "/". A folder stands for itself and all below it. */
const kinds = [
  {
    how: "git runs it as a hook",
    names:
      ".husky .githooks .git-hooks .lefthook lefthook.* .lefthook.* lefthook-local.* .lefthook-local.* .pre-commit-config.y*ml .overcommit.yml .hg",
  },
  {
    how: "editors act on it by themselves",
    names:
      ".vscode *.code-workspace .idea .fleet .zed .devcontainer .devcontainer.json .exrc .nvimrc .nvim.lua .vimrc .dir-locals.el .dir-locals-2.el .gdbinit .lldbinit .cargo",
  },
  {
    how: "shells run it on entering the folder",
    names: "mise.toml mise.*.toml .mise.toml .mise.*.toml .mise .config/mise .rvmrc",
  },
  {
    how: "coding agents take orders from it",
    names:
      ".agent .agents .claude .cursor .codex .gemini .windsurf .aider* .opencode opencode.json* .kiro .roo .continue .clinerules .cline .amazonq .junie .mcp.json .cursorrules .windsurfrules .roorules agents.md agents.*.md claude.md claude.*.md gemini.md copilot-instructions.md",
  },
  {
    how: "the build server acts on it",
    names:
      ".github .gitlab-ci.yml .gitlab-ci .circleci .buildkite .travis.yml bitbucket-pipelines.yml .gitea .forgejo .drone.yml .woodpecker* appveyor.yml .appveyor.yml azure-pipelines.yml jenkinsfile",
  },
  { how: "package scripts run it in place of the installed program", names: ".bin" },
].map(({ how, names }) => ({ how, pattern: anywhere(names) }));

function anywhere(names: string): RegExp {
  const sources = names.split(" ").map((name) => name.replace(/[.]/g, "\\.").replaceAll("*", "[^/]*"));
  return new RegExp(`(?:^|/)(?:${sources.join("|")})(?:/|$)`, "u");
}

/** What happens with a file at this workspace path without anyone asking, as a clause; null for every other. It need not exist yet. */
export function actedOnBy(path: string): string | null {
  const folded = path.normalize("NFKC").toLowerCase().replaceAll("\\", "/");
  return kinds.find(({ pattern }) => pattern.test(folded))?.how ?? null;
}
