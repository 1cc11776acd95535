// The first screens: their keys choose, and any other key is told which they are.
import { expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { runTrust, runWelcome } from "../../src/tui/welcome.ts";
import { VirtualTerminal } from "../helpers/virtual-terminal.ts";

const never = new AbortController().signal;

it("the first screen names its keys to whoever presses another one", async () => {
  const terminal = new VirtualTerminal(80, 24);
  const chosen = runWelcome(terminal, en, false, never);
  terminal.type("x");
  await terminal.shows("Press one of 1, 2, 3, q.");
  terminal.type("2");
  expect(await chosen).toBe("setup");
});

it("so does the question of trust, and Enter chooses nothing", async () => {
  const terminal = new VirtualTerminal(80, 24);
  const chosen = runTrust(terminal, en, "/work/app", false, never);
  terminal.type("\r");
  await terminal.shows("Press one of t, r, q.");
  terminal.type("r");
  expect(await chosen).toBe("read");
});
