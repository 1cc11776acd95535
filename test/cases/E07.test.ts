import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../helpers/agent.ts";
import { goesOn, openCase } from "./support.ts";

const patch = call("apply_patch", {
  reason: "r",
  changes: [{ path: "f.py", edits: [{ old: "a = 1", new: "a = 2" }] }],
});

// Of the right answers we chose A: what was shown is not what would happen any more, so it is refused; the model may try again.
it("E07: a file that somebody saves while the patch is shown keeps what they saved", async () => {
  let saved = false;
  const t = await openCase({
    files: { "f.py": "a = 1\nb = 1\n" },
    steps: [call("read_file", { path: "f.py" }), patch, patch, patch],
    answer: ({ content }) => {
      if (content.kind === "patch" && !saved) {
        saved = true;
        writeFileSync(join(t.root, "f.py"), "a = 1\nb = 9\n");
      }
      return "approve";
    },
  });
  await t.run("Go.");
  const [, refused, stale, done] = t.events.flatMap((e) => (e.type === "call-ended" ? [e] : []));
  expect(refused).toMatchObject({
    outcome: "error",
    content: expect.stringMatching(/^f\.py changed since it was shown .*Nothing was changed\.$/),
  });
  // The same call again is told what stands there now, and then goes through on top of it.
  expect(stale).toMatchObject({ outcome: "error", content: expect.stringContaining("2\tb = 9") });
  expect(done?.outcome).toBe("ok");
  expect(t.read("f.py")).toBe("a = 2\nb = 9\n");
  expect(t.proposals("patch")).toHaveLength(2);
  expect(t.events).toContainEqual({ type: "fact", fact: { type: "drift", paths: ["f.py"], by: "other" } });
  await goesOn(t);
});

it("E07: nothing of the patch is written when only one of its files was changed", async () => {
  const t = await openCase({
    files: { "a.txt": "one\n", "b.txt": "one\n" },
    steps: [
      { calls: ["a.txt", "b.txt"].map((path) => ({ name: "read_file", arguments: { path } })) },
      call("apply_patch", {
        reason: "r",
        changes: ["a.txt", "b.txt"].map((path) => ({ path, edits: [{ old: "one", new: "two" }] })),
      }),
    ],
    answer: ({ content }) => {
      if (content.kind === "patch") writeFileSync(join(t.root, "b.txt"), "saved\n");
      return "approve";
    },
  });
  await t.run("Go.");
  expect(t.read("a.txt")).toBe("one\n");
  expect(t.read("b.txt")).toBe("saved\n");
  await goesOn(t);
});
