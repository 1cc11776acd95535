// The headers of a request: ours, and what a profile adds. Pure; used by the adapters and by json-call.ts.

/** A profile's header takes the place of ours of that name, however it is written. Names come out in lower case. */
export function requestHeaders(
  ours: Readonly<Record<string, string>>,
  further: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const headers = new Headers({ "user-agent": "minicode", ...ours });
  for (const [name, value] of Object.entries(further)) headers.set(name, value);
  return Object.fromEntries(headers);
}
