// What the user types while a task runs: kept in order until it is delivered.
import { expect, it } from "vitest";
import { createInbox } from "../../src/agent/inbox.ts";

it("gives everything once, oldest first", () => {
  const inbox = createInbox();
  inbox.push("one");
  inbox.push("two");
  expect(inbox.waiting()).toEqual(["one", "two"]);
  expect(inbox.drain()).toEqual(["one", "two"]);
  expect(inbox.drain()).toEqual([]);
});

it("takes back what was not delivered, in front of what came since", () => {
  const inbox = createInbox();
  inbox.push("one");
  const taken = inbox.drain();
  inbox.push("two");
  inbox.restore(taken);
  inbox.push("three");
  expect(inbox.drain()).toEqual(["one", "two", "three"]);
});
