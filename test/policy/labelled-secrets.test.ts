// The patterns that redact exports, measured on a labelled set.
import { expect, it } from "vitest";
import { findSecrets, replaceSecrets } from "../../src/policy/key-patterns.ts";
import { plainLines, secretLines } from "./labelled-secrets.ts";

const clean = (text: string): string => replaceSecrets(text, findSecrets([text], {}));

it("recall and precision on the labelled set", () => {
  const missed = secretLines.filter(({ line, secret }) => clean(line).includes(secret));
  const wrong = plainLines.filter((line) => clean(line) !== line);
  const found = secretLines.length - missed.length;
  const recall = found / secretLines.length;
  const precision = found / (found + wrong.length);
  console.info(
    `secrets: ${secretLines.length} with, ${plainLines.length} without; recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`,
  );
  expect({ recall, missed }).toMatchObject({ recall: expect.toSatisfy((r: number) => r >= 0.95) });
  expect({ precision, wrong }).toMatchObject({ precision: expect.toSatisfy((p: number) => p >= 0.95) });
});
