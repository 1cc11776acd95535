// A link that an approved command has planted is not written through.
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";

describe("TH42 a command plants a link, then the agent writes", () => {
  it("the patch is refused with the link's name, and the target stays", async () => {
    const outside = tempFolder();
    write(outside, { bashrc: "mine\n" });
    const target = join(outside, "bashrc");
    const t = await testAgent({
      guided: false,
      steps: [
        call("run_command", { argv: ["ln", "-s", target, "notes.md"], reason: "r" }),
        call("run_command", { argv: ["ln", "-s", outside, "docs"], reason: "r" }),
        call("apply_patch", { changes: [{ path: "notes.md", content: "OWNED\n" }], reason: "r" }),
        call("apply_patch", {
          changes: [{ path: "notes.md", edits: [{ old: "mine", new: "x" }] }],
          reason: "r",
        }),
        call("apply_patch", { changes: [{ path: "docs/new", content: "OWNED\n" }], reason: "r" }),
        { text: "Done." },
      ],
    });
    await t.run("go");
    expect(readlinkSync(join(t.root, "notes.md"))).toBe(target);
    const [, , created, edited, below] = t.results();
    for (const said of [created, edited]) expect(said).toContain("notes.md is a symbolic link");
    expect(below).toContain("docs is a symbolic link");
    expect(t.proposals("patch")).toEqual([]);
    expect(readFileSync(target, "utf8")).toBe("mine\n");
  });
});
