// No hook runs, and the index is not written.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH28");
