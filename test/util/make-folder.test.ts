// Folders of MiniCode's own: made for their user alone, and refused in words.
import { mkdtempSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AppError } from "../../src/util/errors.ts";
import { makeFolder } from "../../src/util/make-folder.ts";

const dir = mkdtempSync(join(tmpdir(), "minicode-make-folder-"));

function refusal(path: string): AppError {
  try {
    makeFolder(path);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error(`${path} was not refused`);
}

it("makes what is missing, for its user alone, and leaves what is there", () => {
  const path = join(dir, "a/b/c");
  makeFolder(path);
  makeFolder(path);
  for (const made of [path, join(dir, "a/b"), join(dir, "a")])
    expect(statSync(made).mode & 0o777).toBe(0o700);
  symlinkSync(path, join(dir, "link"));
  makeFolder(join(dir, "link"));
  makeFolder(join(dir, "link/d"));
  expect(statSync(join(path, "d")).isDirectory()).toBe(true);
});

it("says where a file is in the way", () => {
  const file = join(dir, "file");
  writeFileSync(file, "");
  expect(refusal(file)).toMatchObject({
    code: "E_FOLDER",
    message: `the folder ${file} cannot be made (EEXIST)`,
    hint: expect.stringContaining("A file is in the way"),
  });
  expect(refusal(join(file, "below"))).toMatchObject({
    message: `the folder ${join(file, "below")} cannot be made (ENOTDIR)`,
  });
});

it.runIf(process.platform === "linux")("ends where the system has no folder to give", () => {
  expect(refusal("/proc/nope/below/it")).toMatchObject({
    message: "the folder /proc/nope cannot be made (ENOENT)",
    hint: expect.stringContaining("XDG_*_HOME"),
  });
});

it("does not follow a link to nothing", () => {
  const link = join(dir, "to-nothing");
  symlinkSync(join(dir, "nothing"), link);
  expect(refusal(link).message).toContain("(EEXIST)");
});
