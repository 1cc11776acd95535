// Every fuzz target works and finds nothing in a few inputs; scripts/fuzz.mjs tries many.
import { expect, it } from "vitest";
import { targets } from "./targets.ts";

it.each(targets.map(({ target }) => target))("$name", async ({ run }) => {
  const { runs, failures } = await run(500, 20_261_201);
  expect([runs, failures]).toEqual([500, []]);
});
