// No program makes the diff but git itself.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH24");
