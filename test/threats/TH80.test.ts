// Root in the sandbox is root without its powers.
import { describe, expect, it } from "vitest";
import { call, testAgent } from "../helpers/agent.ts";
import { sandboxes } from "../helpers/sandboxes.ts";

const attempts = [
  "mount -t tmpfs none /mnt",
  "umount /proc",
  "chroot / true",
  "unshare -Ur true",
  "unshare -m true",
  "mknod /tmp/d c 1 1 && head -c1 /tmp/d",
  "chown 1:1 /etc/passwd",
  "echo x > /proc/sys/kernel/core_pattern",
  "echo b > /proc/sysrq-trigger",
  "nsenter -t 1 -m true",
];

describe.skipIf(!sandboxes.includes("require"))("TH80 the agent as root (needs bubblewrap)", () => {
  it.each(attempts)("%s fails inside", async (attempt) => {
    const t = await testAgent({
      guided: false,
      sandbox: "require",
      steps: [
        call("run_shell", {
          command: `{ ${attempt}; } >/dev/null 2>&1 && echo is-open || echo is-closed`,
          reason: "r",
        }),
        { text: "Done." },
      ],
    });
    await t.run("go");
    expect(t.results()[0]).toContain("\nis-closed");
  });
});
