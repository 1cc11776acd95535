// A file with a second name outside is replaced, never written into; the panel says that there is another name.
// limit: its content can be read, like that of any file of the workspace.
import { linkSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { panel } from "../view/helpers.ts";
import { tempFolder, write } from "../workspace/git-fixture.ts";

describe("TH43 a hard link to the outside", () => {
  it("keeps its old bytes outside, and the panel warns", async () => {
    const outside = tempFolder();
    write(outside, { f: "one\n" });
    const t = await testAgent({
      guided: false,
      steps: [
        call("read_file", { path: "f" }),
        call("apply_patch", { changes: [{ path: "f", edits: [{ old: "one", new: "two" }] }], reason: "r" }),
        { text: "Done." },
      ],
    });
    linkSync(join(outside, "f"), join(t.root, "f"));
    const { ino } = statSync(join(outside, "f"));
    await t.run("go");
    expect(t.read("f")).toBe("two\n");
    expect(readFileSync(join(outside, "f"), "utf8")).toBe("one\n");
    expect(statSync(join(outside, "f")).ino).toBe(ino);
    const [shown] = t.proposals("patch");
    expect(shown && panel(shown.content)).toContain("this file has 2 names (hard links)");
  });
});
