// MiniCode listens on nothing that a web page or another user could reach.
// limit: a session's lock is an abstract socket on Linux, which processes of this machine can see; it reads nothing and says nothing.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";

/** Inodes of this process's own sockets that listen for TCP. */
function listening(): string[] {
  const own = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
  const rows = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap((file) =>
    readFileSync(file, "utf8").trim().split("\n").slice(1),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .flatMap(([, , , state, , , , , , inode = ""]) => (state === "0A" && own.includes(inode) ? [inode] : []));
}

describe.skipIf(process.platform !== "linux")("TH66 a local control port (needs /proc)", () => {
  it("there is none, while a session is open and while a command runs", async () => {
    const before = listening();
    const during: string[][] = [];
    const t = await testAgent({
      guided: false,
      answer: () => {
        during.push(listening());
        return "approve";
      },
      steps: [call("run_command", { argv: ["node", "-e", "1"], reason: "r" }), { text: "Done." }],
    });
    await t.run("go");
    expect(during).toEqual([before]);
    expect(listening()).toEqual(before);
  });
});
