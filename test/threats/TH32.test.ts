// Files that the config includes are read as little as the config.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH32");
