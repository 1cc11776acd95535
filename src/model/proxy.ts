// Which proxy a server is asked through, by the variables that every tool obeys. Pure; used by src/model/http.ts.

export interface HttpProxy {
  /** The variable that names it. */
  variable: string;
  /** Scheme, host and port, without credentials; undefined when the variable does not hold the address of an HTTP proxy. */
  origin: string | undefined;
  /** Value of the header `proxy-authorization`, when the address held a user name. */
  authorization: string | undefined;
}

/**
 * The proxy for `url`, or undefined when it is asked directly: HTTPS_PROXY for https, HTTP_PROXY for http, the lower-case name
 * first, a blank one counting as not set. Never for this machine itself, and not for what NO_PROXY names: `*`, a host with
 * everything below it, or either with a port.
 */
export function proxyFor(url: string, env: NodeJS.ProcessEnv): HttpProxy | undefined {
  const { protocol, hostname, port } = new URL(url);
  const names = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const variable = names.find((name) => read(env, name) !== "");
  if (variable === undefined || isThisMachine(hostname)) return undefined;
  const host = bare(hostname);
  const number = port || (protocol === "https:" ? "443" : "80");
  const exempt = (read(env, "no_proxy") || read(env, "NO_PROXY")).split(/[\s,]+/).filter(Boolean);
  if (exempt.some((entry) => covers(entry.toLowerCase(), host, number))) return undefined;
  return { variable, ...readAddress(read(env, variable)) };
}

function read(env: NodeJS.ProcessEnv, name: string): string {
  return env[name]?.trim() ?? "";
}

function isThisMachine(hostname: string): boolean {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, name = entry, only] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const wanted = bare(name.replace(/^\*?\./, ""));
  return host === wanted || host.endsWith(`.${wanted}`);
}

/** An IPv6 address without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[(.+)\]$/, "$1");
}

function readAddress(value: string): Pick<HttpProxy, "origin" | "authorization"> {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(address)) return { origin: undefined, authorization: undefined };
  const { protocol, origin, username, password } = new URL(address);
  if (protocol !== "http:" && protocol !== "https:") return { origin: undefined, authorization: undefined };
  const credentials = `${unescaped(username)}:${unescaped(password)}`;
  const basic = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return { origin, authorization: username === "" ? undefined : basic };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
