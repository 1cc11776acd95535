// No filter runs; files that one would have changed are compared as they are.
// limit: a file that only a clean filter makes equal (Git LFS, line ends by filter) may be shown as changed.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH26");
