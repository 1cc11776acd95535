import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { useOfArgv } from "../../src/policy/command.ts";
import { classifyShell } from "../../src/policy/shell.ts";
import { traitsOnDisk } from "../../src/workspace/command-reach.ts";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { tempFolder, write } from "./git-fixture.ts";

/** Says for a command line what it comes to in a real folder: "reads", or "reads+opaque(word)". */
async function workspace(files: Record<string, string>, cwd = ".") {
  const root = tempFolder();
  write(root, files);
  const gate = await openPathGate(root);
  onTestFinished(() => gate.close());
  return {
    root,
    gate,
    async traits(text: string): Promise<string> {
      const found = await traitsOnDisk(gate, classifyShell(text).use, cwd);
      return found.map(({ trait, because }) => (trait === "opaque" ? `opaque(${because})` : trait)).join("+");
    },
  };
}

const files = {
  "a.ts": "x\n",
  "src/b.ts": "x\n",
  "src/deep/c.ts": "x\n",
  ".env": "K=1\n",
  "keys/server.key": "k\n",
};

describe("what a command's paths really are", () => {
  it("whole folders pass when nothing below them is protected, and name what is in the way", async () => {
    const { traits } = await workspace(files);
    expect(await traits("grep -rn x src")).toBe("reads");
    expect(await traits("rg x src a.ts")).toBe("reads");
    expect(await traits("cd src && rg x")).toBe("reads");
    expect(await traits("cp -r src copy")).toBe("writes");
    expect(await traits("rg x")).toBe("reads+opaque(.env)");
    expect(await traits("grep -r x keys")).toBe("reads+opaque(keys/server.key)");
    expect(await traits("cp -r keys copy")).toBe("writes+opaque(keys/server.key)");
    expect(await traits("rg x nowhere")).toBe("reads");
    expect(await traits("diff src keys")).toBe("reads+opaque(src)");
  });

  it("TH42: what one command brings somewhere, another one does not look at unasked", async () => {
    const { traits } = await workspace({
      ...files,
      ".minicodeignore": "src/deep/hidden/\n",
      "src/deep/hidden/k": "k\n",
    });
    expect(await traits("ln -s . l && grep -r x l")).toContain("opaque");
    expect(await traits("mv src/b.ts c.ts && cat c.ts")).toBe("writes+reads+opaque(c.ts)");
    expect(await traits("cp a.ts keys && cat keys/a.ts")).toContain("opaque(keys/a.ts)");
    expect(await traits("mv a.ts b.ts; cd src && cat b.ts")).toBe("writes+reads");
    // The hidden folder would come out from under its rule.
    expect(await traits("mv src s2")).toBe("writes+opaque(src/deep/hidden)");
    expect(await traits("mv a.ts src")).toBe("writes");
    expect(await traits("mkdir d && touch d/x && echo y > d/z && cat d/z")).toBe("writes+reads");
  });

  it("TH46: files that other programs act on come to their places by no way round", async () => {
    const { traits } = await workspace({ "p/.vscode/tasks.json": "{}\n", "q/tasks.json": "{}\n" });
    expect(await traits("cp -r p/. .")).toContain("opaque(p/.vscode)");
    expect(await traits("mv p r")).toContain("opaque(p/.vscode)");
    expect(await traits("mv q .vscode")).toContain("opaque(.vscode: editors act on it by themselves)");
    expect(await traits("mv q r")).toBe("writes");
  });

  it("TH44: a link on the way is as good as what it leads to", async () => {
    const { root, traits } = await workspace(files);
    symlinkSync(".env", join(root, "notes"));
    symlinkSync("/etc", join(root, "etc"));
    symlinkSync("../.env", join(root, "src/z.ts"));
    expect(await traits("cat notes")).toBe("reads+opaque(notes)");
    expect(await traits("cat etc/passwd")).toBe("reads+opaque(etc/passwd)");
    expect(await traits("ls etc")).toBe("reads+opaque(etc)");
    expect(await traits("ls etc/")).toBe("reads+opaque(etc/)");
    expect(await traits("cd etc && ls")).toBe("reads+opaque(etc)");
    expect(await traits("cat src/*.ts")).toBe("reads+opaque(src/z.ts)");
    expect(await traits("cat ./*.ts")).toBe("reads");
    // Neither follows links that it meets below.
    expect(await traits("grep -r x src")).toBe("reads");
  });

  it("TH42, TH43: nothing is written through a link, nor into a file with a second name", async () => {
    const { root, traits } = await workspace(files);
    symlinkSync("/tmp/outside", join(root, "out"));
    linkSync(join(root, "a.ts"), join(root, "twin"));
    expect(await traits("echo x > out")).toBe("writes+reads+opaque(out)");
    expect(await traits("echo x > twin")).toBe("writes+reads+opaque(twin)");
    expect(await traits("echo x > new")).toBe("writes+reads");
    expect(await traits("cat twin")).toBe("reads");
  });

  it("hidden names count as protected ones, and the folder it starts in counts", async () => {
    const more = { ...files, ".minicodeignore": "private/\n", "private/a": "x\n", "src/private/a": "x\n" };
    const { traits } = await workspace(more);
    expect(await traits("cat private/a")).toBe("reads+opaque(private/a)");
    expect(await traits("rg x src")).toBe("reads+opaque(src/private)");
    const inner = await workspace({ ...files, "src/.env": "K=2\n" }, "src");
    expect(await inner.traits("cat b.ts deep/c.ts")).toBe("reads");
    expect(await inner.traits("rg x .")).toBe("reads+opaque(src/.env)");
  });

  it("a folder with too much in it is not looked through", async () => {
    const { root, gate } = await workspace(files);
    for (let i = 0; i < 3001; i++) mkdirSync(join(root, "many", String(i)), { recursive: true });
    expect(await traitsOnDisk(gate, useOfArgv(["rg", "x", "many"]), ".")).toContainEqual({
      trait: "opaque",
      because: "many",
    });
  });
});
