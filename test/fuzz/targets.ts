// All fuzz targets, with the runs of their short form. Bundled by scripts/fuzz.mjs; tried by targets.test.ts.
import { classifierTarget } from "./classifier.ts";
import { patchTarget } from "./patch.ts";
import { pathGateTarget } from "./path-gate.ts";
import { redactorTarget } from "./redactor.ts";
import { sanitiserTarget } from "./sanitiser.ts";
import { streamParserTarget } from "./stream-parser.ts";
import type { FuzzTarget } from "./target.ts";

export const targets: readonly { target: FuzzTarget; shortRuns: number }[] = [
  { target: classifierTarget, shortRuns: 100_000 },
  { target: pathGateTarget, shortRuns: 100_000 },
  { target: patchTarget, shortRuns: 20_000 },
  { target: sanitiserTarget, shortRuns: 100_000 },
  { target: redactorTarget, shortRuns: 5_000 },
  { target: streamParserTarget, shortRuns: 10_000 },
];
