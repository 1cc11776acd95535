// A request through one of the SDKs, which only builds it: headers, limits and failures are ours. Used by the adapters that have one.
import type { ModelError } from "./error.ts";
import { type Server, thrownFailure } from "./failure.ts";
import type { Http } from "./http.ts";
import type { Limits, Watch } from "./watch.ts";

/** What an SDK's client is made with. */
export interface SdkSettings {
  apiKey: string;
  maxRetries: 0;
  logLevel: "off";
  timeout: number;
  fetch: Http["send"];
}

/**
 * The response to what `ask` sends with these settings. The SDKs add headers from variables that belong to another server, follow
 * redirects, and lose the words and causes of many failures: so the request gets exactly `headers`, and what was thrown beneath the
 * SDK is thrown here.
 */
export async function throughSdk(
  options: Server & { limits: Limits },
  http: Http,
  headers: Readonly<Record<string, string>>,
  watch: Watch,
  ask: (settings: SdkSettings) => Promise<Response>,
): Promise<Response> {
  let failed: ModelError | undefined;
  const settings: SdkSettings = {
    // They insist on a key; what is really sent stands in the headers.
    apiKey: options.apiKey ?? "none",
    maxRetries: 0,
    logLevel: "off",
    // Only our watch ends a request.
    timeout: options.limits.totalMs + 60_000,
    fetch: async (url, init) => {
      try {
        return await http.send(url, { ...init, headers });
      } catch (error) {
        failed = thrownFailure(options, error);
        throw failed;
      }
    },
  };
  watch.listen();
  try {
    return await ask(settings);
  } catch (error) {
    throw failed ?? error;
  }
}
