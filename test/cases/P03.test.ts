import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { tempFolder } from "../workspace/git-fixture.ts";
import { expectRefused, runCase, sentText, withHome } from "./support.ts";

it("P03: ~ is the home folder, which is outside, and never a folder of that name", async () => {
  const home = tempFolder();
  withHome(home);
  const file = join(home, "mc-tilde.txt");
  const create = call("apply_patch", { reason: "r", changes: [{ path: "~/mc-tilde.txt", content: "x\n" }] });
  const read = call("read_file", { path: "~/mc-tilde.txt" });
  const absent = await runCase({ steps: [create, read] });
  expect(absent.ended.map(({ outcome }) => outcome)).toEqual(["blocked", "blocked"]);
  for (const { content } of absent.ended) expect(content).toContain(`${file} is outside the workspace`);
  expectRefused(absent, "blocked");
  expect(existsSync(join(absent.root, "~"))).toBe(false);
  expect(existsSync(file)).toBe(false);

  writeFileSync(file, "home-3302\n");
  const edits = [{ old: "home", new: "X" }];
  const there = await runCase({
    steps: [read, call("apply_patch", { reason: "r", changes: [{ path: "~/mc-tilde.txt", edits }] })],
  });
  for (const { content } of there.ended) expect(content).toContain(`${file} is outside the workspace`);
  expectRefused(there, "blocked");
  expect(sentText(there)).not.toContain("home-3302");
});
