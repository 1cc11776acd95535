// Control bytes in what git prints: messages, authors, names and contents.
import { expect, it } from "vitest";
import { gitTool } from "../../src/tools/git.ts";
import { call } from "../tools/call.ts";
import { git, repository, write } from "../workspace/git-fixture.ts";
import { allAnswers } from "../workspace/git-vectors.ts";

const title = "\u001b]0;pwn\u0007";
const clipboard = "\u001b]52;c;SGk=\u0007";
const colour = "\u009b31m";
const bidi = "\u202e";
/** What may never be in an answer: C0 but TAB and LF, DEL, C1, direction marks. */
const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

it("TH39: no action hands on a control byte", async () => {
  const name = `x${clipboard}y`;
  const root = repository({ a: "one\n", [name]: "one\n" });
  const content = `two${title}${colour}${bidi}\rthree\n`;
  write(root, { a: content, [name]: content });
  git(
    root,
    "-c",
    `user.name=Eve${title}l${bidi}`,
    "commit",
    "-qam",
    `sub${title}ject${colour}${bidi}\n\nbody${clipboard}\u0008!`,
  );
  git(root, "branch", `b${bidi}c`);
  git(root, "mv", name, `z${clipboard}`);
  write(root, { a: `${content}${content}` });
  const answers = await allAnswers(root);
  for (const input of [
    { action: "log", path: name },
    { action: "show", path: name },
    { action: "blame", path: `z${clipboard}` },
    { action: "staged_diff" },
  ])
    answers.set(JSON.stringify(input), (await call(gitTool, root, input)).content);
  for (const [action, text] of answers) expect([action, forbidden.exec(text)]).toEqual([action, null]);

  expect(answers.get("log")).toMatch(/Evel\\u\{202E\}: subject/);
  expect(answers.get("show")).toContain("body");
  expect(answers.get("branches")).toContain("b\\u{202E}c");
  expect(answers.get("blame a")).toContain("1\ttwo\\u{202E}\u240dthree");
  expect(answers.get("show a HEAD")).toContain("1\ttwo\\u{202E}\u240dthree");
  expect(answers.get("status")).toContain("R  xy -> z");
});
