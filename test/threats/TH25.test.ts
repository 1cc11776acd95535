// Text for a diff comes from the file, never from a program that converts it.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH25");
