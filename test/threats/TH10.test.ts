// Programs whose arguments are programs: of sed only printing lines is known, of awk only printing fields, of tar nothing.
import { describe, expect, it } from "vitest";
import { alwaysAsks, seen } from "./shell.ts";

describe("TH10 the languages of sed, awk and tar", () => {
  it.each([
    "sed -n '1e ./x' f",
    "sed 'w OUT' f",
    "sed 's/a/b/e' f",
    "sed 's/a/b/w OUT' f",
    "sed -i 's/a/b/' f",
    "sed -f script f",
    `awk 'BEGIN{system("./x")}'`,
    `awk '{print > "OUT"}' f`,
    `awk '{print | "./x"}' f`,
    "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=./x f",
    "jq -n 'input_filename' --rawfile a .env",
  ])("%s always asks", (text) => {
    expect(alwaysAsks(text)).toBe(true);
  });

  it.each(["sed -n '10,20p' f", "sed -n 5p f", "awk '{print $1}' f"])("%s only reads", (text) => {
    expect(seen(text)).toMatchObject({ class: "read-only", byDefault: "pass" });
  });
});
