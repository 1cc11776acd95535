// Signatures are not looked at, so no program checks them.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH27");
