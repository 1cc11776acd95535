import { expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { sha256 } from "../../src/util/hash.ts";
import { rowsToText } from "../../src/view/plain.ts";
import { proposalRows } from "../../src/view/proposal.ts";
import { call } from "../helpers/agent.ts";
import { runCase } from "./support.ts";

const dollars = "a$&b$$c$`d$'e$1f";

it("E03: dollar signs are text: in the file, in the proposal, and on the panel before APPLY", async () => {
  expect(dollars).toHaveLength(16);
  const c = await runCase({
    files: { "f.js": "id = X;\n" },
    steps: [
      call("read_file", { path: "f.js" }),
      call("apply_patch", { reason: "r", changes: [{ path: "f.js", edits: [{ old: "X", new: dollars }] }] }),
    ],
  });
  expect(c.read("f.js")).toBe(`id = ${dollars};\n`);
  expect(Buffer.from(c.read("f.js")).toString("hex").toUpperCase()).toBe(
    "6964203D206124266224246324606424276524316" + "63B0A",
  );
  expect(sha256(c.read("f.js"))).toMatch(/^cfa5c4eb89956988/);
  const [proposal] = c.proposals("patch");
  if (proposal?.content.kind !== "patch") throw new Error("no patch was shown");
  expect(proposal.content.files[0]?.hunks[0]?.lines).toEqual(["-id = X;", `+id = ${dollars};`]);
  expect(rowsToText(proposalRows(proposal, en), { color: false })).toContain(`id = ${dollars};`);
  expect(c.ended[1]?.content).toContain(`+id = ${dollars};`);
});
