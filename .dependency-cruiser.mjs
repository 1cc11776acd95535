// The import table of docs/architecture.md as rules: each folder with the folders it may import. Run by `npm run check`.
const foundation = ["util", "protocol"];
const table = {
  tui: ["agent", "view", "i18n", "policy", ...foundation],
  eval: ["app", ...foundation],
  agent: ["tools", "guided", "policy", "model", "record", "patch", ...foundation],
  tools: ["patch", "policy", "workspace", ...foundation],
  view: ["i18n", "policy", "protocol"],
  workspace: ["policy", "patch", ...foundation],
  record: [...foundation],
  model: ["policy", ...foundation],
  config: ["policy", ...foundation],
  memory: [...foundation],
  guided: ["protocol"],
  policy: ["protocol"],
  patch: ["protocol"],
  i18n: [],
  util: [],
  protocol: [],
};

const rules = Object.entries(table).map(([folder, allowed]) => ({
  name: `imports-of-${folder}`,
  comment: `src/${folder}/ may import ${allowed.length > 0 ? allowed.join(", ") : "nothing of ours"} (docs/architecture.md)`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: [`^src/${folder}/`, ...allowed.map((name) => `^src/${name}(/|\\.ts$)`)] },
}));

export default {
  forbidden: [
    ...rules,
    {
      name: "app-is-below-cli",
      severity: "error",
      from: { path: "^src/app\\.ts$" },
      to: { path: "^src/(cli|tui|eval|view|main\\.ts)" },
    },
    { name: "no-cycles", severity: "error", from: { path: "^src/" }, to: { circular: true } },
    { name: "no-unresolvable", severity: "error", from: { path: "^src/" }, to: { couldNotResolve: true } },
    {
      name: "no-test-imports",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|eval|scripts)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node"],
    },
  },
};
