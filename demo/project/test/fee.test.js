import assert from "node:assert/strict";
import { test } from "node:test";
import { display } from "../src/display.js";
import { fee } from "../src/fee.js";

test("half an hour is free", () => {
  assert.equal(fee(30), 0);
});

test("every started hour counts", () => {
  assert.equal(fee(31), 200);
  assert.equal(fee(61), 400);
});

test("a day costs at most 20.00", () => {
  assert.equal(fee(12 * 60), 2000);
});

test("two days cost at most 40.00", () => {
  assert.equal(fee(48 * 60), 4000);
});

test("the display shows minutes and money", () => {
  assert.equal(display(61), "61 min: 4.00");
});
