// A missing object is an error, never fetched.
// limit: what needs a missing object of a partial clone fails; the user has to fetch it.
import { testVectors } from "../workspace/git-vectors.ts";

testVectors("TH31");
