// Inside is decided component by component, never by how a path begins.
// limit: a file system that is mounted inside the workspace counts as part of it; mounting needs root.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPathGate } from "../../src/workspace/path-gate.ts";
import { openGate, refusal } from "./gate.ts";

describe("TH40 a sibling that begins like the workspace", () => {
  it("is outside, in every spelling and through every door", async () => {
    const { folder, gate } = await openGate();
    folder.write("../ws-evil/x", "SIB-4410");
    for (const path of [
      "../ws-evil/x",
      `${folder.ws}-evil/x`,
      `${folder.ws}/../ws-evil/x`,
      "src/../../ws-evil/x",
    ]) {
      for (const result of [
        await gate.resolve(path),
        await gate.readFile(path),
        await gate.openFile(path),
        await gate.openDir(path),
      ])
        expect(refusal(result)).toContain(`blocked: ${folder.base}/ws-evil/x is outside`);
      expect(await gate.visible(path, false)).toBe(false);
    }
  });

  it("so is the parent of a workspace whose name begins with dots", async () => {
    const { folder } = await openGate();
    mkdirSync(join(folder.base, "..ws"));
    const gate = await openPathGate(join(folder.base, "..ws"));
    expect(refusal(await gate.resolve("../x"))).toContain("is outside");
    expect(await gate.resolve("..x/y")).toEqual({ ok: true, value: "..x/y" });
    await gate.close();
  });
});
