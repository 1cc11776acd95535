// ask_user: a question only the user can answer. It changes nothing and needs no word; no answer is an answer, too.
import * as z from "zod";
import type { Tool } from "./contract.ts";

const MAX_OPTIONS = 6;

const input = z.strictObject({
  question: z.string().min(1).max(2000),
  options: z.array(z.string().min(1).max(200)).max(MAX_OPTIONS).optional().describe("answers to choose from"),
});

export const askUserTool: Tool<z.infer<typeof input>> = {
  name: "ask_user",
  description:
    "Ask the user what the files cannot tell you and a wrong guess would cost. Never for permission: every change is shown to the user anyway.",
  input,
  effect: "question",
  limits: `${MAX_OPTIONS} options`,
  label: ({ question }) => `ask: ${question}`,
  prepare: async ({ question, options = [] }) => ({ kind: "question", text: question, options }),
};
