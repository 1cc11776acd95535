import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Folders } from "../../src/config/folders.ts";
import { isTrusted, trustFolder } from "../../src/config/trust.ts";

function setting(): { places: Folders; folder: string } {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "minicode-trust-")));
  const folder = join(home, "project");
  mkdirSync(join(folder, "sub"), { recursive: true });
  return {
    places: { config: join(home, "config"), data: join(home, "data"), state: join(home, "state") },
    folder,
  };
}

it("a folder is trusted once it was trusted, with the folders below it and no other", async () => {
  const { places, folder } = setting();
  expect(await isTrusted(places, folder)).toBe(false);
  await trustFolder(places, folder);
  await trustFolder(places, folder);
  expect(await isTrusted(places, folder)).toBe(true);
  expect(await isTrusted(places, join(folder, "sub"))).toBe(true);
  expect(await isTrusted(places, join(folder, ".."))).toBe(false);
  mkdirSync(`${folder}-evil`);
  expect(await isTrusted(places, `${folder}-evil`)).toBe(false);
  expect(statSync(join(places.state, "trust.json")).mode & 0o777).toBe(0o600);
});

it("a link is the folder it leads to, and another folder in its place is not trusted", async () => {
  const { places, folder } = setting();
  symlinkSync(folder, `${folder}-link`);
  await trustFolder(places, `${folder}-link`);
  expect(await isTrusted(places, folder)).toBe(true);
  renameSync(folder, `${folder}-old`);
  mkdirSync(folder);
  expect(await isTrusted(places, folder)).toBe(false);
});

it("trust in the home folder or the root is for that folder alone", async () => {
  const { places, folder } = setting();
  await trustFolder(places, "/");
  await trustFolder(places, homedir());
  expect(await isTrusted(places, "/")).toBe(true);
  expect(await isTrusted(places, folder)).toBe(false);
  expect(await isTrusted(places, join(homedir(), "."))).toBe(true);
});

it("a folder that is not there is not trusted, and a broken list is an error", async () => {
  const { places, folder } = setting();
  expect(await isTrusted(places, join(folder, "gone"))).toBe(false);
  mkdirSync(places.state, { recursive: true });
  writeFileSync(join(places.state, "trust.json"), '{"folders": "all"}');
  await expect(isTrusted(places, folder)).rejects.toMatchObject({ code: "E_TRUST" });
});
