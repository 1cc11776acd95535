// Only regular files are opened, and opening never waits.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGate, refusal } from "./gate.ts";

describe("TH47 special files", () => {
  it("a pipe, a socket, a folder and files of /proc and /dev are refused at once", {
    timeout: 5_000,
  }, async () => {
    const { folder, gate } = await openGate();
    execFileSync("mkfifo", [join(folder.ws, "pipe")]);
    mkdirSync(join(folder.ws, "dir"));
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(folder.ws, "sock"), done));
    for (const open of [gate.readFile, gate.openFile]) {
      expect(refusal(await open("pipe"))).toContain("blocked: pipe is not a regular file");
      expect(refusal(await open("sock"))).toContain("blocked: sock is not a regular file");
      expect(refusal(await open("dir"))).toContain("error: dir is a folder");
      expect(refusal(await open("/proc/self/environ"))).toContain("is outside");
      expect(refusal(await open("/dev/zero"))).toContain("is outside");
    }
    await new Promise((done) => server.close(done));
  });

  it.skipIf(process.getuid?.() !== 0)("a device in the workspace too (needs root to make one)", async () => {
    const { folder, gate } = await openGate();
    execFileSync("mknod", [join(folder.ws, "zero"), "c", "1", "5"]);
    expect(refusal(await gate.readFile("zero"))).toContain("blocked: zero is not a regular file");
  });
});
