import { expect, it } from "vitest";
import {
  MAX_CHARS_TOGETHER,
  MAX_FILES,
  MAX_LINES_EACH,
  readManyFilesTool,
} from "../../src/tools/read-many-files.ts";
import { bench } from "./context.ts";

const lines = (count: number, width = 3): string => `${"x".repeat(width)}\n`.repeat(count);

it("reads each file under its own heading, each once, in the order asked for", async () => {
  const b = await bench({ "a.txt": "one\n", "b/c.txt": "two\n" });
  const { outcome, content, facts } = await b.answer(readManyFilesTool, {
    paths: ["b/c.txt", "a.txt", "b/c.txt"],
  });
  expect(outcome).toBe("ok");
  expect(content).toBe("b/c.txt · 1 line · LF\n1\ttwo\n\na.txt · 1 line · LF\n1\tone");
  expect(facts).toMatchObject([
    { type: "file_read", path: "b/c.txt", lines: [1, 1] },
    { type: "file_read", path: "a.txt", lines: [1, 1] },
  ]);
});

it("gives a path that cannot be read its own line, beside the others", async () => {
  const b = await bench({ "a.txt": "one\n", ".env": "KEY=secret\n", "bin.dat": Buffer.from([0, 1, 2]) });
  const { outcome, content } = await b.answer(readManyFilesTool, {
    paths: ["no.txt", ".env", "bin.dat", "a.txt"],
  });
  expect(outcome).toBe("ok");
  expect(content).toContain("no.txt: no such file.");
  expect(content).toMatch(/^\.env: /m);
  expect(content).not.toContain("secret");
  expect(content).toContain("bin.dat is binary");
  expect(content).toContain("1\tone");
  expect(await b.answer(readManyFilesTool, { paths: ["no.txt"] })).toMatchObject({ outcome: "error" });
});

it("shows the first lines of a long file and how to go on", async () => {
  const b = await bench({ "long.txt": lines(MAX_LINES_EACH + 5) });
  const { content, facts } = await b.answer(readManyFilesTool, { paths: ["long.txt"] });
  expect(content).toContain(`long.txt · ${MAX_LINES_EACH + 5} lines`);
  expect(content.endsWith(`… go on with read_file {"path":"long.txt","start":${MAX_LINES_EACH + 1}}`)).toBe(
    true,
  );
  expect(facts).toMatchObject([{ lines: [1, MAX_LINES_EACH] }]);
});

it("stops when the reply is full and names what it left out", async () => {
  const b = await bench({
    "a.txt": lines(200, 200),
    "b.txt": lines(200, 200),
    "c.txt": lines(1),
  });
  const { content, facts } = await b.answer(readManyFilesTool, { paths: ["a.txt", "b.txt", "c.txt"] });
  expect(content.length).toBeLessThan(MAX_CHARS_TOGETHER + 200);
  expect(content).toContain("Not read, this reply is full: b.txt, c.txt");
  expect(facts).toHaveLength(1);
});

it("takes no more paths than it says", () => {
  const paths = Array.from({ length: MAX_FILES + 1 }, (_, i) => `f${i}`);
  expect(readManyFilesTool.input.safeParse({ paths }).success).toBe(false);
});
