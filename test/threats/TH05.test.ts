// A here-document is a text with substitutions in it; with one a command line is opaque.
import { describe, expect, it } from "vitest";
import { alwaysAsks, inBash, seen } from "./shell.ts";

describe("TH05 the body of a here-document", () => {
  const text = "cat <<-E\n\t`rm x`\n\tE\n";

  it("runs its substitutions in bash, and a deny rule sees them", async () => {
    expect(await inBash(text)).toContain("rm");
    expect(seen(text).traits).toContain("destructive(rm)");
  });

  it.each([text, "cat <<E\n$(rm x)\nE\n", "cat <<'E'\nplain\nE\n", "cat <<< $(rm x)", "cat <<E\nno end"])(
    "%j always asks",
    (line) => {
      expect(alwaysAsks(line)).toBe(true);
    },
  );
});
