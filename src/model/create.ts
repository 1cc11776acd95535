// Makes the model that a profile chose. Used by src/app.ts, which handles the provider "offline" itself: it has no model.
import type { ChatModel } from "../protocol/model.ts";
import { AppError } from "../util/errors.ts";
import { readJson } from "../util/read-json.ts";
import { type AnthropicOptions, createAnthropic } from "./anthropic.ts";
import { createOllama } from "./ollama.ts";
import type { OllamaChatOptions } from "./ollama-chat.ts";
import { createOpenAiCompatible, type OpenAiCompatibleOptions } from "./openai-compatible.ts";
import { scriptSchema } from "./script.ts";
import { createScripted } from "./scripted.ts";

type ModelSettings =
  | { provider: "scripted" /** Path of the script. */; script: string }
  | ({ provider: "openai-compatible" } & OpenAiCompatibleOptions)
  | ({ provider: "anthropic" } & AnthropicOptions)
  | ({ provider: "ollama" } & OllamaChatOptions);

/**
 * No request is made. Throws an `AppError`: `E_SCRIPT` when a script cannot be read, `E_PROFILE` for a provider that there is not,
 * with those that there are.
 */
export async function createModel(settings: ModelSettings): Promise<ChatModel> {
  switch (settings.provider) {
    case "openai-compatible":
      return createOpenAiCompatible(settings);
    case "anthropic":
      return createAnthropic(settings);
    case "ollama":
      return createOllama(settings);
    case "scripted": {
      const script = await readJson(settings.script, scriptSchema, "E_SCRIPT");
      if (script === undefined) throw new AppError("E_SCRIPT", `there is no script ${settings.script}`);
      return createScripted(script.steps, script.name);
    }
    default:
      throw unknownProvider(settings);
  }
}

const providers: Record<ModelSettings["provider"], true> = {
  "openai-compatible": true,
  anthropic: true,
  ollama: true,
  scripted: true,
};

function unknownProvider({ provider }: { provider: string }): AppError {
  return new AppError("E_PROFILE", `there is no provider "${provider}"`, {
    hint: `Known are ${Object.keys(providers).join(", ")}.`,
  });
}
