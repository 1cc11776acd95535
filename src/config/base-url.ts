// Which base URLs a model may have: what the user types there gets the key and the code. Pure; used by ready-profile.ts.

type CheckedUrl = { ok: true; url: string } | { ok: false; why: string; hint: string };

/**
 * https anywhere, http on this machine only (or with MINICODE_ALLOW_INSECURE_HTTP=1, exactly), without credentials, query or
 * fragment, not even empty ones. `url` has no slash at its end; `why` continues a sentence and quotes nothing of the input.
 */
export function checkBaseUrl(input: string, env: NodeJS.ProcessEnv): CheckedUrl {
  const bad = (why: string, hint = "It looks like https://api.example.com/v1."): CheckedUrl => ({
    ok: false,
    why,
    hint,
  });
  if (!URL.canParse(input)) return bad("is not a URL");
  const url = new URL(input);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return bad("must begin with https:// or http://");
  if (url.hostname === "") return bad("has no host");
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]")
    return bad(
      "names no machine",
      `This machine is ${url.protocol}//127.0.0.1${url.port === "" ? "" : `:${url.port}`}${url.pathname.replace(/\/$/, "")}.`,
    );
  if (url.username !== "" || url.password !== "") return bad("must not hold a user name or password");
  // The parsed URL no longer shows an empty query or fragment.
  if (input.includes("?")) return bad("must not have a query (?…)");
  if (input.includes("#")) return bad("must not have a fragment (#…)");
  if (url.protocol === "http:" && !isLoopback(input) && env["MINICODE_ALLOW_INSECURE_HTTP"] !== "1") {
    return bad(
      "is plain http to another machine, which anyone on the way can read",
      "Use https, or export MINICODE_ALLOW_INSECURE_HTTP=1 if you trust the network.",
    );
  }
  return { ok: true, url: url.href.replace(/\/+$/, "") };
}

/** Whether a URL's host is this machine, by its name or address. */
export function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
