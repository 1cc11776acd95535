// A program that watches files for git is not started: the repository's config is never read.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH23");
