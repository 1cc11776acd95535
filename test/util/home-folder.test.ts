// The home folder: what HOME may say, and what the system says instead.
import { userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { folders } from "../../src/config/folders.ts";
import { homeFolder } from "../../src/util/home-folder.ts";

const account = userInfo().homedir;

it("is what HOME says", () => {
  expect(homeFolder({ HOME: "/home/me" })).toBe("/home/me");
});

describe("is what the system says, and never the folder that MiniCode is started in, where HOME is", () => {
  it.each([[{}], [{ HOME: "" }], [{ HOME: "." }], [{ HOME: "home/me" }]])("%j", (env) => {
    expect(homeFolder(env)).toBe(account);
    for (const folder of Object.values(folders(env, "linux")))
      expect(folder.startsWith(`${account}/.`)).toBe(true);
  });
});
