// What a profile's file may hold, per provider: a field that its provider cannot use is refused. Used by profiles.ts, and for the
// JSON Schema that editors read.
import * as z from "zod";
import { anthropicCompatSchema, openAiCompatSchema } from "./compat.ts";
import { looksLikeKey } from "./key-like.ts";

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable")
  .refine((name) => !looksLikeKey(name), "must be the name of an environment variable, not a key");
const count = z.number().int().positive();
/** The longest that a silent connection is worth waiting for, in seconds. */
const silence = z.number().positive().max(3_600);
const price = z.number().nonnegative();
const keyInFile = "a key does not belong in a file: name its variable as apiKeyEnv";

const pricingSchema = z.strictObject({
  input: price.describe("Tokens taken in."),
  cachedInput: price.optional().describe("Tokens taken in from the server's cache; as `input` when absent."),
  cacheWrite: price.optional().describe("Tokens written to the server's cache; as `input` when absent."),
  output: price.describe("Tokens given out, thinking included."),
  asOf: z.iso.date().describe("The day these prices were looked up, as YYYY-MM-DD."),
  currency: z.literal("USD").optional().describe("The only one there is."),
});
export type Pricing = z.infer<typeof pricingSchema>;

function holdsKey([name, value]: [string, string]): boolean {
  return /authorization|cookie|api-?key|token|secret/i.test(name) || looksLikeKey(value);
}

const named = {
  $schema: z.string().optional().describe("Where the JSON Schema of this file is, for editors."),
  id: z.string().describe("The name it is chosen by; the same as the file's, without .json."),
  label: z.string().min(1).describe("What the user is shown."),
};

const withModel = {
  ...named,
  contextWindow: count
    .optional()
    .describe(
      "Tokens the model can take in: shown beside what is used; `ollama` loads the model with so many.",
    ),
  tools: z
    .array(z.string())
    .min(1)
    .optional()
    .describe("The only tools this model is offered, for models that do better with few."),
  pricing: pricingSchema.optional().describe("US dollars per million tokens; without it costs are unknown."),
};

const server = {
  ...withModel,
  baseUrl: z.string().optional().describe("https, or http on this machine; without credentials and query."),
  baseUrlEnv: variable.optional().describe("Variable that beats `baseUrl` when it is set."),
  model: z.string().min(1).optional().describe("The model, as the server names it."),
  modelEnv: variable.optional().describe("Variable that beats `model` when it is set."),
  apiKeyEnv: variable.optional().describe("Variable that holds the key; the key itself is never in a file."),
  keyRequired: z
    .boolean()
    .optional()
    .describe("Whether there must be a key; by default only for servers that are not on this machine."),
  maxOutputTokens: count.optional().describe("Most tokens of one answer; by default the server's own limit."),
  limits: z
    .strictObject({
      connectSeconds: silence.optional().describe("Until there is a connection (default 15)."),
      firstByteSeconds: silence
        .optional()
        .describe("From the request to the first byte of the answer (default 240)."),
      idleSeconds: silence.optional().describe("Between two pieces of the answer (default 120)."),
      totalSeconds: z
        .number()
        .positive()
        .max(86_400)
        .optional()
        .describe("For the whole answer (default 1800)."),
    })
    .optional()
    .describe("Time limits of one request."),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be the name of a header"),
      z.string().regex(/^[\x20-\x7e]*$/, "must be printable ASCII"),
    )
    .refine((headers) => !Object.entries(headers).some(holdsKey), keyInFile)
    .optional()
    .describe("Further request headers; never a key."),
  body: z
    .record(z.string(), z.json())
    .optional()
    .describe('Further fields of every request, e.g. {"temperature": 0.2}.'),
  thinking: z
    .boolean()
    .optional()
    .describe("Whether the model thinks before it answers; by default what the server does by itself."),
};

const openAiShape = {
  ...server,
  compat: openAiCompatSchema.optional().describe("What this server does unlike the others."),
};

const anthropicShape = {
  ...server,
  thinkingBudget: count
    .min(1_024)
    .optional()
    .describe("Most tokens of thinking before an answer, for models that take a budget; needs `thinking`."),
  compat: anthropicCompatSchema.optional().describe("What this server does unlike the others."),
};

const offlineSchema = z.strictObject({ ...named, provider: z.literal("offline") }).meta({
  title: "No model",
});

const scriptedSchema = z
  .strictObject({
    ...withModel,
    provider: z.literal("scripted"),
    scriptEnv: variable.describe("Variable with the path of the script."),
  })
  .meta({ title: "A script instead of a model" });

const openAiCompatibleSchema = z
  .strictObject({ ...openAiShape, provider: z.literal("openai-compatible") })
  .superRefine(checkOpenAi)
  .meta({ title: "A server that speaks OpenAI's chat completions" });
export type OpenAiCompatibleProfile = z.infer<typeof openAiCompatibleSchema>;

const anthropicSchema = z
  .strictObject({ ...anthropicShape, provider: z.literal("anthropic") })
  .superRefine(checkAnthropic)
  .meta({ title: "A server that speaks Anthropic's messages" });
export type AnthropicProfile = z.infer<typeof anthropicSchema>;

const ollamaSchema = z
  .strictObject({
    ...openAiShape,
    provider: z.literal("ollama"),
    keepAlive: z
      .string()
      .regex(/^(0|-?(\d+(\.\d+)?(ms|s|m|h))+)$/, 'must be a duration like "10m", "0" or "-1m" (for ever)')
      .optional()
      .describe('How long the model stays in memory after a request, like "10m"; "-1m" is for ever.'),
  })
  .superRefine(checkOllama)
  .meta({ title: "Ollama" });
export type OllamaProfile = z.infer<typeof ollamaSchema>;

const options = [
  offlineSchema,
  scriptedSchema,
  openAiCompatibleSchema,
  anthropicSchema,
  ollamaSchema,
] as const;
const providers = options.map(({ shape }) => shape.provider.value);

/** An unknown provider is answered with all there are. */
export const profileSchema = z
  .discriminatedUnion("provider", options, {
    error: (issue) => (issue.code === "invalid_union" ? `must be one of ${providers.join(", ")}` : undefined),
  })
  .meta({ title: "A profile of MiniCode", description: "Which model to ask, and how." });
export type Profile = z.infer<typeof profileSchema>;

/** Fields of a request that MiniCode writes itself, so that a profile's `body` could only be ignored there. */
const ownFields = {
  openai: {
    model: "model",
    max_tokens: "maxOutputTokens",
    max_completion_tokens: "maxOutputTokens",
    stream: "compat.streaming",
    stream_options: "compat.streamOptions",
    parallel_tool_calls: "compat.parallelToolCalls",
    tool_choice: "",
    messages: "",
    tools: "",
  },
  ollama: {
    model: "model",
    max_tokens: "maxOutputTokens",
    num_predict: "maxOutputTokens",
    num_ctx: "contextWindow",
    stream: "compat.streaming",
    think: "thinking",
    reasoning_effort: "thinking",
    keep_alive: "keepAlive",
    response_format: "format",
    truncate: "",
    messages: "",
    tools: "",
  },
  anthropic: {
    model: "model",
    max_tokens: "maxOutputTokens",
    stream: "compat.streaming",
    thinking: "thinking",
    cache_control: "compat.promptCache",
    tool_choice: "",
    messages: "",
    system: "",
    tools: "",
  },
};

function checkOpenAi(profile: z.infer<z.ZodObject<typeof openAiShape>>, context: z.RefinementCtx): void {
  checkBody(profile.body, ownFields.openai, context);
  if (profile.thinking === undefined) return;
  const field = profile.compat?.thinkingSwitch ?? "none";
  if (field === "none") {
    const message = "needs compat.thinkingSwitch, the field by which this server is told of it";
    context.addIssue({ code: "custom", path: ["thinking"], message });
  } else if (profile.body?.[field] !== undefined) {
    context.addIssue({ code: "custom", path: ["body", field], message: "is set by thinking already" });
  }
}

/** The switches that count at Ollama's own endpoint, which is asked where a `contextWindow` is wanted. */
const ollamaSwitches = new Set(["streaming", "reasoningField", "userAfterTool", "thinkingOpen"]);

function checkOllama(profile: z.infer<z.ZodObject<typeof openAiShape>>, context: z.RefinementCtx): void {
  if (profile.contextWindow === undefined) {
    checkOpenAi(profile, context);
    return;
  }
  checkBody(profile.body, ownFields.ollama, context);
  for (const name of Object.keys(profile.compat ?? {})) {
    if (ollamaSwitches.has(name)) continue;
    const message = "cannot be used with a contextWindow, which goes through Ollama's own endpoint";
    context.addIssue({ code: "custom", path: ["compat", name], message });
  }
}

function checkAnthropic(
  profile: z.infer<z.ZodObject<typeof anthropicShape>>,
  context: z.RefinementCtx,
): void {
  checkBody(profile.body, ownFields.anthropic, context);
  const { thinking, thinkingBudget, maxOutputTokens } = profile;
  if (thinkingBudget === undefined) return;
  const path = ["thinkingBudget"];
  if (thinking !== true) context.addIssue({ code: "custom", path, message: "needs thinking: true" });
  if (maxOutputTokens !== undefined && thinkingBudget >= maxOutputTokens)
    context.addIssue({ code: "custom", path, message: "must be less than maxOutputTokens" });
}

function checkBody(
  body: Readonly<Record<string, unknown>> | undefined,
  own: Readonly<Record<string, string>>,
  context: z.RefinementCtx,
): void {
  for (const [name, value] of Object.entries(body ?? {})) {
    if (looksLikeKey(JSON.stringify(value)))
      context.addIssue({ code: "custom", path: ["body", name], message: keyInFile });
  }
  for (const [name, instead] of Object.entries(own)) {
    if (body?.[name] === undefined) continue;
    const message = `is written by MiniCode itself${instead === "" ? "" : `: use ${instead}`}`;
    context.addIssue({ code: "custom", path: ["body", name], message });
  }
}
