// The compat switches of a profile: what a server does unlike the others, as data. Used by profile-schema.ts and ready-profile.ts.
import * as z from "zod";

const thinkingSwitchSchema = z.enum([
  "none",
  "thinking",
  "enable_thinking",
  "chat_template_kwargs",
  "reasoning_effort",
  "reasoning",
]);
const reasoningFieldSchema = z.enum(["none", "reasoning_content", "reasoning"]);

export interface OpenAiCompat {
  streaming: boolean;
  streamOptions: boolean;
  maxCompletionTokens: boolean;
  developerRole: boolean;
  parallelToolCalls: boolean;
  strictSchemas: boolean;
  toolChoice: boolean;
  thinkingSwitch: z.infer<typeof thinkingSwitchSchema>;
  reasoningField: z.infer<typeof reasoningFieldSchema>;
  userAfterTool: boolean;
  toolName: boolean;
  shortCallIds: boolean;
  thinkingOpen: boolean;
}

export interface AnthropicCompat {
  promptCache: boolean;
  streaming: boolean;
  toolChoice: boolean;
}

export const openAiCompatDefaults: OpenAiCompat = {
  streaming: true,
  streamOptions: true,
  maxCompletionTokens: false,
  developerRole: false,
  parallelToolCalls: true,
  strictSchemas: false,
  toolChoice: true,
  thinkingSwitch: "none",
  reasoningField: "none",
  userAfterTool: false,
  toolName: false,
  shortCallIds: false,
  thinkingOpen: false,
};

export const anthropicCompatDefaults: AnthropicCompat = {
  promptCache: true,
  streaming: true,
  toolChoice: true,
};

export const openAiCompatSchema = z.strictObject({
  streaming: openAiSwitch("streaming", "The server can stream an answer."),
  streamOptions: openAiSwitch("streamOptions", "It knows `stream_options`, which asks for token counts."),
  maxCompletionTokens: openAiSwitch(
    "maxCompletionTokens",
    "It wants `max_completion_tokens` instead of `max_tokens`.",
  ),
  developerRole: openAiSwitch(
    "developerRole",
    'It wants the system message under the role "developer" instead of "system".',
  ),
  parallelToolCalls: openAiSwitch(
    "parallelToolCalls",
    "The model may call several tools in one answer; false asks it, by `parallel_tool_calls`, for one at a time.",
  ),
  strictSchemas: openAiSwitch(
    "strictSchemas",
    "It holds the model to the tools' schemas (`strict`) and wants every field of them required.",
  ),
  toolChoice: openAiSwitch("toolChoice", "One tool can be demanded by `tool_choice`."),
  thinkingSwitch: thinkingSwitchSchema.exactOptional().meta({
    description:
      "The field by which thinking is switched on and off; the profile's `thinking` needs one that is not none.",
    default: openAiCompatDefaults.thinkingSwitch,
  }),
  reasoningField: reasoningFieldSchema.exactOptional().meta({
    description: "The field in which the server wants the model's earlier thinking back with the tool calls.",
    default: openAiCompatDefaults.reasoningField,
  }),
  userAfterTool: openAiSwitch(
    "userAfterTool",
    "It takes a user message right after a tool's result; without it an assistant's message is put between.",
  ),
  toolName: openAiSwitch("toolName", "It wants the tool's name in a tool's result."),
  shortCallIds: openAiSwitch(
    "shortCallIds",
    "It takes only ids of nine letters and digits for the calls of an answer.",
  ),
  thinkingOpen: openAiSwitch(
    "thinkingOpen",
    "The model's text begins within its thinking: `</think>` ends it, and no tag opens it.",
  ),
});

export const anthropicCompatSchema = z.strictObject({
  promptCache: toggle(
    "The server can cache the beginning of a request (`cache_control`).",
    anthropicCompatDefaults.promptCache,
  ),
  streaming: toggle("The server can stream an answer.", anthropicCompatDefaults.streaming),
  toolChoice: toggle("One tool can be demanded by `tool_choice`.", anthropicCompatDefaults.toolChoice),
});

type OpenAiSwitch = Exclude<keyof OpenAiCompat, "thinkingSwitch" | "reasoningField">;

function openAiSwitch(name: OpenAiSwitch, description: string) {
  return toggle(description, openAiCompatDefaults[name]);
}

function toggle(description: string, byDefault: boolean) {
  return z.boolean().exactOptional().meta({ description, default: byDefault });
}
