// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
// Any expansion makes a command line opaque: nobody looks at which of them run code.
import { describe, expect, it } from "vitest";
import { alwaysAsks, inBash } from "./shell.ts";

describe("TH03 prompt expansion", () => {
  const text = "x='$(rm x)'; echo ${x@P}";

  it("runs the rm in bash", async () => {
    expect(await inBash(text)).toContain("rm");
  });

  it.each([text, "echo ${x@P}", "echo ${x@E}", "echo ${!x}", "echo ${x:-$(rm x)}", "echo $x", "echo ~+"])(
    "%s always asks",
    (line) => {
      expect(alwaysAsks(line)).toBe(true);
    },
  );
});
