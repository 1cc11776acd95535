// The type that every catalogue has. The view takes one as a parameter and never names a language.
import type { en } from "./en.ts";

export type Messages = typeof en;
