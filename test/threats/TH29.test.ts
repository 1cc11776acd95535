// Submodules are not entered, so their own config counts for nothing.
// limit: changes within submodules are not shown.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH29");
