import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../src/tools/contract.ts";
import { readOutputTool } from "../../src/tools/read-output.ts";
import { bench } from "./context.ts";

/** A page of what run 7 printed. */
async function page(printed: string | Buffer, start?: number, seq = 7): Promise<ToolResult> {
  const { context } = await bench();
  const outputOf = async (of: number): Promise<Buffer | null> => (of === 7 ? Buffer.from(printed) : null);
  const prepared = await readOutputTool.prepare(readOutputTool.input.parse({ seq, start }), {
    ...context,
    outputOf,
  });
  if (prepared.kind !== "read") throw new Error(prepared.kind);
  return prepared.run();
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

describe("read_output", () => {
  it("gives a thousand lines, framed, and says how to go on", async () => {
    const { outcome, content } = await page(numbered(2_500), 1_001);
    expect(outcome).toBe("ok");
    expect(content).toMatch(/^--- output #7, lines 1001 to 2000 of 2500, data [0-9a-f]{8} ---\nline 1001\n/);
    expect(content).toMatch(
      /\nline 2000\n--- end of data [0-9a-f]{8} ---\n… go on with read_output \{"seq":7,"start":2001\}$/,
    );
  });

  it("ends with the last line, whether or not it is finished", async () => {
    expect((await page("a\nb")).content).toMatch(
      /^--- output #7, lines 1 to 2 of 2, .* ---\na\nb\n--- end of .* ---$/,
    );
    expect((await page("a\nb\n")).content).toMatch(/lines 1 to 2 of 2/);
  });

  it("every line is on exactly one page", async () => {
    const printed = numbered(20_000);
    const lines: string[] = [];
    for (let start = 1; start <= 20_000; ) {
      const { content } = await page(printed, start);
      const [, body = ""] = /---\n(.*)\n--- end of data/s.exec(content) ?? [];
      expect(content.length).toBeLessThan(60_000);
      lines.push(...body.split("\n"));
      start = lines.length + 1;
    }
    expect(`${lines.join("\n")}\n`).toBe(printed);
  });

  it("cuts a line without end between characters, and never more than it may", async () => {
    const { content } = await page(`x${"😀".repeat(500_000)}\nnext\n`);
    expect(content).toMatch(/\nx😀+… \(line cut, 2000001 bytes\)\nnext\n/u);
    expect(content.length).toBeLessThan(3_000);
  });

  it("is as safe to show as any output", async () => {
    expect((await page("\u001b]52;c;SGk=\u0007\0x\r\n")).content).not.toMatch(/[\0\u0007\u001b\r]/);
  });

  it("says what is not there", async () => {
    expect(await page("a\n", 1, 8)).toMatchObject({
      outcome: "error",
      content: "No command #8 has run in this session.",
    });
    expect(await page("a\n", 2)).toMatchObject({
      outcome: "error",
      content: "The output of #7 has 1 lines; there is no line 2.",
    });
    expect(await page("")).toMatchObject({ outcome: "ok", content: "#7 printed nothing." });
  });
});
