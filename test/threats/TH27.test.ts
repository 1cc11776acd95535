import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH27");
