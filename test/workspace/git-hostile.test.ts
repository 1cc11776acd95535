// Repositories that want to run something, show something else or never answer (TH23–TH35).
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answers, git, hashOf, ourGit, repository, tempFolder, trap, write } from "./git-fixture.ts";

interface Vector {
  /** Sets the trap in a repository with the tracked file "a" edited; `script` leaves the marker behind. */
  set(root: string, script: string): void;
  /** The plain git command that falls into it, so that the vector is known to be one. */
  plain: string[];
}

/** Makes `root/sub` a submodule with an edited file. */
function addSubmodule(root: string): string {
  git(root, "submodule", "--quiet", "add", repository({ inner: "1\n" }), "sub");
  git(root, "commit", "-q", "-m", "sub", "--", "sub", ".gitmodules");
  write(root, { "sub/inner": "2\n" });
  return join(root, "sub");
}

const vectors: Record<string, Vector> = {
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

function hostile(set: Vector["set"]): { root: string; marker: string } {
  const root = repository({ a: "one\n", b: "b\n" });
  const marker = join(tempFolder(), "PWNED");
  const script = trap(join(tempFolder(), "trap"), marker);
  write(root, { a: "changed\n", "staged.txt": "staged\n" });
  git(root, "add", "staged.txt");
  set(root, script);
  return { root, marker };
}

describe("a hostile repository runs nothing and is not written to", () => {
  it.each(Object.entries(vectors))("%s", async (name, { set, plain }) => {
    const { root, marker } = hostile(set);
    rmSync(marker, { force: true });
    const before = hashOf(join(root, ".git"));
    const { status, diff, staged } = await answers(root);
    expect(existsSync(marker)).toBe(false);
    expect(hashOf(join(root, ".git"))).toBe(before);
    expect(status).toContain(" M a");
    expect(staged).toContain("+staged\n");
    if (name.startsWith("TH31")) expect(diff).toMatch(/git failed: .*partial clone; MiniCode never fetches/);
    else expect(diff).toContain("-one\n+changed\n");

    try {
      git(root, ...plain);
    } catch {
      // Some traps make git fail; that they were run is what counts.
    }
    expect(existsSync(marker)).toBe(true);
  });

  it("TH35 nothing is taken from the environment", async () => {
    const { root, marker } = hostile(() => {});
    const script = trap(join(tempFolder(), "trap"), marker);
    const trace = join(tempFolder(), "trace");
    const hostileEnv = {
      GIT_TRACE: trace,
      GIT_EXTERNAL_DIFF: script,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${script}'`,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: script,
      GIT_DIR: "/nonexistent",
      GIT_INDEX_FILE: "/nonexistent",
    };
    Object.assign(process.env, hostileEnv);
    try {
      expect((await answers(root)).diff).toContain("-one\n+changed\n");
    } finally {
      for (const name of Object.keys(hostileEnv)) delete process.env[name];
    }
    expect(existsSync(marker)).toBe(false);
    expect(existsSync(trace)).toBe(false);
  });
});

describe("TH33 a repository shows nothing but itself", () => {
  const foreign = (): string => {
    const other = repository({ secret: "other-secret\n" });
    write(other, { secret: "other-changed\n" });
    return other;
  };
  const refusals: Record<string, (root: string) => void> = {
    "a .git file that names another repository": (root) => {
      rmSync(join(root, ".git"), { recursive: true });
      write(root, { ".git": `gitdir: ${join(foreign(), ".git")}\n` });
    },
    "a .git file with a made-up worktree entry for another repository": (root) => {
      rmSync(join(root, ".git"), { recursive: true });
      write(root, {
        ".git": "gitdir: fake/worktrees/x\n",
        "fake/worktrees/x/gitdir": `${join(root, ".git")}\n`,
        "fake/worktrees/x/commondir": `${join(foreign(), ".git")}\n`,
        "fake/worktrees/x/HEAD": "ref: refs/heads/main\n",
      });
    },
    "a .git link": (root) => {
      rmSync(join(root, ".git"), { recursive: true });
      symlinkSync(join(foreign(), ".git"), join(root, ".git"));
    },
    "a .git file of nonsense": (root) => {
      rmSync(join(root, ".git"), { recursive: true });
      write(root, { ".git": "nonsense\n" });
    },
    "commondir (CVE-2026-40068)": (root) => write(root, { ".git/commondir": join(foreign(), ".git") }),
    alternates: (root) => write(root, { ".git/objects/info/alternates": join(foreign(), ".git/objects") }),
    "linked objects": (root) => {
      rmSync(join(root, ".git/objects"), { recursive: true });
      symlinkSync(join(foreign(), ".git/objects"), join(root, ".git/objects"));
    },
    "a linked objects/pack": (root) => {
      rmSync(join(root, ".git/objects/pack"), { recursive: true });
      symlinkSync(join(foreign(), ".git/objects/pack"), join(root, ".git/objects/pack"));
    },
    "linked refs": (root) => {
      rmSync(join(root, ".git/refs"), { recursive: true });
      symlinkSync(join(foreign(), ".git/refs"), join(root, ".git/refs"));
    },
    "a linked branch": (root) => {
      rmSync(join(root, ".git/refs/heads/main"));
      symlinkSync(join(foreign(), ".git/refs/heads/main"), join(root, ".git/refs/heads/main"));
    },
    "a linked index": (root) => {
      rmSync(join(root, ".git/index"));
      symlinkSync(join(foreign(), ".git/index"), join(root, ".git/index"));
    },
    "a HEAD that leads out by its name": (root) =>
      write(root, { ".git/HEAD": "ref: refs/heads/../../../x\n" }),
    "branches in a circle": (root) => write(root, { ".git/refs/heads/main": "ref: refs/heads/main\n" }),
    "a reftable": (root) => mkdirSync(join(root, ".git/reftable")),
    "a broken config": (root) => write(root, { ".git/config": "[core\n" }),
  };

  it.each(Object.entries(refusals))("refuses %s", async (_, spoil) => {
    const root = repository({ a: "a\n" });
    spoil(root);
    const { status, diff, staged } = await answers(root);
    for (const answer of [status, diff, staged])
      expect(answer).toMatch(/^MiniCode does not read this repository: /);
    expect(await (await ourGit(root)).branch()).toBeNull();
  });

  it("ignores core.worktree", async () => {
    const root = repository({ a: "a\n" });
    git(root, "config", "core.worktree", "/etc");
    expect(await answers(root)).toEqual({ status: [], diff: "", staged: "" });
  });
});

describe("TH34 a file that never ends", () => {
  it.each(["HEAD", "index", "config", "packed-refs", "refs/heads/main", "info/exclude"])(
    "%s",
    async (name) => {
      const root = repository({ a: "a\n" });
      if (name === "packed-refs") rmSync(join(root, ".git/refs/heads/main"));
      else rmSync(join(root, ".git", name));
      execFileSync("mkfifo", [join(root, ".git", name)]);
      expect((await answers(root)).status).toContain(`${name} is not a regular file`);
    },
  );
});

describe("TH39 control bytes", () => {
  it("names come whole from status and quoted from diff", async () => {
    const name = "x\u001b]0;pwn\u0007";
    const root = repository({ [name]: "a\n" });
    write(root, { [name]: "b\n" });
    const { status, diff } = await answers(root);
    expect(status).toEqual([` M ${name}`]);
    expect(diff).toContain('--- "a/x\\033]0;pwn\\a"\n');
  });
});

describe("the owner of the repository", () => {
  it.skipIf(process.getuid?.() !== 0)("does not matter: nothing of it is believed", async () => {
    const root = repository({ a: "a\n" });
    execFileSync("chown", ["-R", "65534:65534", root]);
    write(root, { a: "b\n" });
    expect(() => git(root, "status")).toThrow(/dubious ownership/);
    expect((await answers(root)).status).toEqual([" M a"]);
  });
});
