// Repositories that want git to run something, and the proof that no action of the git tool does. Used by test/threats.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitTool } from "../../src/tools/git.ts";
import { call } from "../tools/call.ts";
import { git, hashOf, repository, tempFolder, trap, write } from "./git-fixture.ts";

/** Every action in every form it has, on the file "a". */
const everyAction = [
  { action: "status" },
  { action: "diff" },
  { action: "diff", path: "a" },
  { action: "staged_diff" },
  { action: "log" },
  { action: "log", path: "a", ref: "main", limit: 3 },
  { action: "show" },
  { action: "show", ref: "HEAD", path: "a" },
  { action: "blame", path: "a" },
  { action: "blame", path: "a", ref: "HEAD" },
  { action: "branches" },
] as const;

/** The answers of every action, by a short name such as "log a main". */
export async function allAnswers(root: string): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const input of everyAction) {
    const { path = "", ref = "", action } = { path: "", ref: "", ...input };
    answers.set([action, path, ref].filter(Boolean).join(" "), (await call(gitTool, root, input)).content);
  }
  return answers;
}

export interface Vector {
  /** Sets the trap in a repository with the tracked file "a" edited; `script` leaves the marker behind. */
  set(root: string, script: string): void;
  /** The plain git command that falls into it, so that the vector is known to be one. */
  plain: string[];
  /** Some objects are missing, so actions that need them fail with these words. */
  fails?: RegExp;
}

/** Makes `root/sub` a submodule with an edited file. */
function addSubmodule(root: string): string {
  git(root, "submodule", "--quiet", "add", repository({ inner: "1\n" }), "sub");
  git(root, "commit", "-q", "-m", "sub", "--", "sub", ".gitmodules");
  write(root, { "sub/inner": "2\n" });
  return join(root, "sub");
}

const all: Record<string, Vector> = {
  "TH23 core.fsmonitor": {
    set: (root, script) => git(root, "config", "core.fsmonitor", script),
    plain: ["status"],
  },
  "TH24 diff.external": {
    set: (root, script) => git(root, "config", "diff.external", script),
    plain: ["diff"],
  },
  "TH24 diff.<driver>.command": {
    set(root, script) {
      write(root, { ".gitattributes": "* diff=x\n" });
      git(root, "config", "diff.x.command", script);
    },
    plain: ["diff"],
  },
  "TH25 textconv": {
    set(root, script) {
      write(root, { ".gitattributes": "* diff=x\n" });
      git(root, "config", "diff.x.textconv", script);
    },
    plain: ["diff"],
  },
  "TH26 filter.clean": {
    set(root, script) {
      write(root, { ".gitattributes": "* filter=x\n" });
      git(root, "config", "filter.x.clean", script);
    },
    plain: ["status"],
  },
  "TH26 filter.process": {
    set(root, script) {
      write(root, { ".gitattributes": "* filter=x\n" });
      git(root, "config", "filter.x.process", script);
    },
    plain: ["status"],
  },
  "TH26 filter from info/attributes": {
    set(root, script) {
      write(root, { ".git/info/attributes": "* filter=x\n" });
      git(root, "config", "filter.x.clean", script);
    },
    plain: ["diff"],
  },
  "TH26 filter from core.attributesFile": {
    set(root, script) {
      write(root, { attrs: "* filter=x\n" });
      git(root, "config", "core.attributesFile", join(root, "attrs"));
      git(root, "config", "filter.x.clean", script);
    },
    plain: ["diff"],
  },
  "TH27 gpg.program": {
    set(root, script) {
      const commit = git(root, "cat-file", "commit", "HEAD").replace(
        "\n\n",
        "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n",
      );
      writeFileSync(join(root, "../commit"), commit);
      git(
        root,
        "update-ref",
        "HEAD",
        git(root, "hash-object", "-t", "commit", "-w", join(root, "../commit")).trim(),
      );
      git(root, "config", "gpg.program", script);
      git(root, "config", "log.showSignature", "true");
    },
    plain: ["log", "-p"],
  },
  "TH28 hooks/post-index-change": {
    set(root, script) {
      renameSync(script, join(root, ".git/hooks/post-index-change"));
      write(root, { b: "b\n" });
    },
    plain: ["status"],
  },
  "TH28 core.hooksPath": {
    set(root, script) {
      mkdirSync(join(root, "h"));
      renameSync(script, join(root, "h/post-index-change"));
      git(root, "config", "core.hooksPath", "h");
      write(root, { b: "b\n" });
    },
    plain: ["status"],
  },
  "TH29 a submodule's fsmonitor": {
    set: (root, script) => git(addSubmodule(root), "config", "core.fsmonitor", script),
    plain: ["status"],
  },
  "TH29 a submodule's filter": {
    set(root, script) {
      const sub = addSubmodule(root);
      write(sub, { ".gitattributes": "* filter=x\n" });
      git(sub, "config", "filter.x.clean", script);
    },
    plain: ["status"],
  },
  "TH31 promisor": {
    set(root, script) {
      const blob = git(root, "rev-parse", "HEAD:a").trim();
      rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
      const config = { "remote.o.url": root, "remote.o.uploadpack": script, "remote.o.promisor": "true" };
      for (const [key, value] of Object.entries(config)) git(root, "config", key, value);
      git(root, "config", "core.repositoryFormatVersion", "1");
      git(root, "config", "extensions.partialClone", "o");
    },
    plain: ["diff"],
    fails: /git failed: .*partial clone; MiniCode never fetches/,
  },
  "TH32 include.path": {
    set(root, script) {
      write(root, { included: `[core]\n\tfsmonitor = ${script}\n` });
      git(root, "config", "include.path", join(root, "included"));
    },
    plain: ["status"],
  },
  "TH32 extensions.worktreeConfig": {
    set(root, script) {
      git(root, "config", "extensions.worktreeConfig", "true");
      git(root, "config", "--worktree", "core.fsmonitor", script);
    },
    plain: ["status"],
  },
};

/** A repository with something to see for every action, and a trap in it. */
export function hostile(set: Vector["set"]): { root: string; marker: string } {
  const root = repository({ a: "one\n", b: "b\n" });
  const marker = join(tempFolder(), "PWNED");
  const script = trap(join(tempFolder(), "trap"), marker);
  write(root, { a: "changed\n", "staged.txt": "staged\n" });
  git(root, "add", "staged.txt");
  set(root, script);
  return { root, marker };
}

/** The tests of one threat: each of its vectors against every action, and against plain git to prove that it is one. */
export function testVectors(threat: string): void {
  const vectors = Object.entries(all).filter(([name]) => name.startsWith(threat));
  describe(`${threat}: no action runs anything or writes to .git`, () => {
    it.each(vectors)("%s", async (_, { set, plain, fails }) => {
      const { root, marker } = hostile(set);
      rmSync(marker, { force: true });
      const before = hashOf(join(root, ".git"));
      const answers = await allAnswers(root);
      expect(existsSync(marker)).toBe(false);
      expect(hashOf(join(root, ".git"))).toBe(before);
      expectAnswers(answers, fails);

      try {
        git(root, ...plain);
      } catch {
        // Some traps make git fail; that they were run is what counts.
      }
      expect(existsSync(marker)).toBe(true);
    });
  });
}

/** What each action has to say all the same. */
export function expectAnswers(answers: ReadonlyMap<string, string>, fails?: RegExp): void {
  const expected: Record<string, RegExp> = {
    status: /^ M a$/m,
    diff: fails ?? /\n-one\n\+changed\n/,
    "diff a": fails ?? /^diff --git a\/a b\/a\n[\s\S]*\n-one\n\+changed\n$/,
    staged_diff: /\+staged\n/,
    log: /2026-01-01 T: first/,
    "log a main": /^[0-9a-f]{10} 2026-01-01 T: first/,
    show:
      fails ??
      /^commit [0-9a-f]{40} \(.*main\)\nT, 2026-01-01T00:00:00(?:Z|\+00:00)\n\n(?:first|sub)\n\n[AM] /,
    "show a HEAD": fails ?? /^a in [0-9a-f]{10} · 1 line\n1\tone$/,
    "blame a": fails ?? /^a · 1 line\nnot committed\n1\tchanged$/,
    "blame a HEAD": fails ?? /^a · 1 line\n[0-9a-f]{10} 2026-01-01 T: first\n1\tone$/,
    branches: /^\* main [0-9a-f]{10} 2026-01-01 /,
  };
  expect([...answers.keys()]).toEqual(Object.keys(expected));
  for (const [name, content] of answers) {
    expect([name, content]).toEqual([name, expect.stringMatching(expected[name] ?? /^$/)]);
  }
}
