// Only our own screen says anything to the terminal: no link, picture, title or query comes from text.
import { describe, expect, it } from "vitest";
import { testSession } from "../helpers/session.ts";
import { leaks } from "./hostile-text.ts";

const texts = [
  "\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\",
  "\u001b]1337;File=inline=1:AAAA\u0007",
  "\u001b_Gf=100,a=T;AAAA\u001b\\",
  "\u001b[6n",
  "\u001b[21t",
  "\u001b[c",
  "\u001b]0;title\u0007",
  "\u001b[?2004l",
  "\u001b[?1049h",
  "\u001bc",
  "\u001b]10;?\u0007",
];

describe("TH85 links, pictures, titles and queries", () => {
  it.each(texts)("%j leaks nowhere", (text) => {
    expect(leaks(text)).toEqual([]);
  });

  it("none of them in an answer and a file's name reaches the terminal", async () => {
    const t = await testSession({
      guided: false,
      files: { "a.txt": texts.join("\n") },
      steps: [
        { calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
        { calls: [{ name: "read_file", arguments: { path: texts.join("") } }] },
        { text: `answer ${texts.join(" ")} end` },
      ],
    });
    t.enter("/details");
    t.enter("go");
    await t.taskEnd();
    expect(t.terminal.raw).not.toMatch(
      /\u001b\]1337|http:\/\/evil\u001b|\u001b_G|\u001b\[6n|\u001b\[21t|\u001b\[c|\u001b\]0;title|\u001bc|\u001b\]10;\?|\u001b\[\?1049h/,
    );
    expect(t.terminal.everything().join("\n")).toContain("end");
  });
});
