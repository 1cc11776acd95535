// The question that `minicode doctor --online` asks the model: one call of one small tool, all that MiniCode's work rests on.
import { createModel } from "../model/create.ts";
import type { ToolCall } from "../protocol/message.ts";
import type { ChatModel, ModelEvent, ToolSpec } from "../protocol/model.ts";
import { AppError } from "../util/errors.ts";
import { type Check, failed } from "./check.ts";
import type { ReadyServer } from "./server-profile.ts";

const WORD = "ready";
const tool: ToolSpec = {
  name: "report",
  description: "Reports one word.",
  parameters: {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  },
};
const name = "round trip";

export async function roundTrip(ready: ReadyServer, signal: AbortSignal): Promise<Check[]> {
  const began = performance.now();
  try {
    const done = await ask(await createModel(ready), signal);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    return [tripCheck(done, seconds), usageCheck(done)];
  } catch (error) {
    if (error instanceof AppError) return [failed(name, error)];
    throw error;
  }
}

type Done = Extract<ModelEvent, { type: "done" }>;

async function ask(model: ChatModel, signal: AbortSignal): Promise<Done> {
  const text = `Call the tool ${tool.name} with the word "${WORD}". Say nothing else.`;
  const request = { messages: [{ role: "user" as const, text }], tools: [tool], forceTool: tool.name };
  for await (const event of model.stream(request, signal)) if (event.type === "done") return event;
  throw new AppError("E_MODEL", "the answer has no end");
}

function tripCheck({ message, stop }: Done, seconds: string): Check {
  if (stop === "length") {
    const detail = "the answer reached its limit before the tool call was whole";
    return { name, state: "fail", detail, hint: "Raise maxOutputTokens in the profile." };
  }
  const [call] = message.calls;
  if (call === undefined) {
    const detail = "the model answered with text and called no tool";
    return {
      name,
      state: "fail",
      detail,
      hint: "Choose a model with tool calls: MiniCode works through them.",
    };
  }
  if (call.name === tool.name && holdsWord(call))
    return { name, state: "ok", detail: `the model called a tool, its arguments whole, in ${seconds} s` };
  const detail = "the model called a tool, but not the one it was asked for with what it was asked for";
  return { name, state: "warn", detail, hint: "It may be too weak for real work." };
}

function holdsWord({ arguments: json }: ToolCall): boolean {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === "object" && parsed !== null && Reflect.get(parsed, "word") === WORD;
  } catch {
    return false;
  }
}

function usageCheck({ usage }: Done): Check {
  const { input, cached, output } = usage;
  if (input === undefined && output === undefined) {
    const detail = "the server gives none, so context and cost are shown as unknown";
    return { name: "token counts", state: "warn", detail };
  }
  const counts = [
    `${input ?? "unknown"} in`,
    cached === undefined ? "from its cache unknown" : `${cached} of them from its cache`,
    `${output ?? "unknown"} out`,
  ];
  return { name: "token counts", state: "ok", detail: counts.join(", ") };
}
