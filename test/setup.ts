// Runs before every test file: no key, no user configuration and no colour setting of this machine reaches a test.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

for (const name of Object.keys(process.env)) {
  if (/KEY|TOKEN|SECRET|^GIT_|^MINICODE_|^RIPGREP_|COLOR$/i.test(name)) delete process.env[name];
}
const home = mkdtempSync(join(tmpdir(), "minicode-test-home-"));
process.env["HOME"] = home;
process.env["XDG_CONFIG_HOME"] = join(home, "config");
process.env["XDG_DATA_HOME"] = join(home, "data");
process.env["XDG_STATE_HOME"] = join(home, "state");
