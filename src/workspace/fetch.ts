// Fetches one public page within bounds (D12): addresses checked before they are dialled, at every hop; sizes, time and types limited.
// Used by src/agent/perform-fetch.ts through the world.
import { lookup } from "node:dns/promises";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Dispatcher } from "undici";
import { hostOf, isPublicAddress, publicUrl } from "../policy/address.ts";
import type { Page } from "../protocol/page.ts";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { messageOf } from "../util/errors.ts";
import { sha256 } from "../util/hash.ts";
import { decodePage, pageText } from "./page-text.ts";

export const maxRawBytes = 5 * 1024 * 1024;
const maxPageBytes = 20 * 1024 * 1024;
export const fetchSeconds = 20;
const idleMs = 10_000;
const maxHops = 5;

/** How names become addresses and addresses are dialled; tests put a server of their own behind a public address. */
export interface Network {
  resolve(host: string): Promise<string[]>;
  /** The address that is dialled for a public one that was checked. */
  dial(address: string): string;
}

export const realNetwork: Network = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  dial: (address) => address,
};

/**
 * The page, or why there is none, worded for the model. Redirects are followed on the host and port that were shown only, and never from
 * https down to http. Behind a proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) the proxy looks the name up again; the name is checked here
 * first, and what this machine cannot look up is not fetched.
 */
export async function fetchPage(
  given: string,
  signal: AbortSignal,
  network: Network = realNetwork,
): Promise<Result<Page>> {
  const first = publicUrl(given);
  if (!first.ok) return first;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(fetchSeconds * 1000)]);
  let url = first.value;
  for (let hop = 0; hop <= maxHops; hop++) {
    const answer = await fetchOne(url, deadline, network).catch((error: unknown) => {
      if (signal.aborted) return refuse("cancelled", "Cancelled.");
      if (deadline.aborted) return refuse("timeout", `The page did not come within ${fetchSeconds} s.`);
      return refuse("error", `${hostOf(url)} could not be fetched: ${reasonOf(error)}`);
    });
    if (!answer.ok) return answer;
    if (typeof answer.value !== "string") return ok(answer.value);
    const next = redirected(answer.value, url);
    if (!next.ok) return next;
    url = next.value;
  }
  return refuse("error", `${given} redirects more than ${maxHops} times.`);
}

/** Where a redirect leads when it may be followed. */
function redirected(location: string, from: URL): Result<URL> {
  if (!URL.canParse(location, from.href))
    return refuse("error", `${from.href} redirects to what is not a URL.`);
  const next = publicUrl(new URL(location, from.href).href);
  if (!next.ok) return refuse(next.refusal.outcome, `${from.href} redirects. ${next.refusal.message}`);
  const { href, host, protocol } = next.value;
  if (host === from.host && (protocol === from.protocol || protocol === "https:")) return next;
  const what = host === from.host ? "to http, which anybody on the way can read" : "to another host";
  return refuse("error", `${from.href} redirects ${what}: ${href}\nFetch that, if you need it.`);
}

/** A page, or where it redirects to. */
async function fetchOne(url: URL, signal: AbortSignal, network: Network): Promise<Result<Page | string>> {
  const host = hostOf(url);
  const addresses = isPublicAddress(host) ? [host] : await unlessAborted(network.resolve(host), signal);
  const closed = addresses.find((address) => !isPublicAddress(address));
  if (closed !== undefined || addresses.length === 0)
    return refuse(
      "blocked",
      `${host} is at ${closed ?? "no address"}, which is not public; it was not asked.`,
    );
  const { EnvHttpProxyAgent, request } = await import("undici");
  // The very address that was checked is dialled: the name is not looked up again.
  const dialled = addresses.map((address) => network.dial(address));
  const agent = new EnvHttpProxyAgent({
    connect: { timeout: idleMs, lookup: (_host, _options, callback) => callback(null, addressList(dialled)) },
  });
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      headers: {
        accept: "text/html, text/plain, application/json, application/xml;q=0.9, text/*;q=0.8",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "minicode (web_fetch)",
      },
    });
    return await readAnswer(url, response);
  } finally {
    await agent.destroy();
  }
}

/** Looking a name up cannot be broken off, but waiting for it can. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
  });
}

function addressList(addresses: readonly string[]): { address: string; family: number }[] {
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

async function readAnswer(url: URL, response: Dispatcher.ResponseData): Promise<Result<Page | string>> {
  const { statusCode: status } = response;
  // What is not read to its end breaks off, and that is no failure.
  response.body.on("error", () => {});
  const header = (name: string): string => [response.headers[name] ?? ""].flat()[0] ?? "";
  if (status >= 300 && status < 400 && header("location") !== "") {
    response.body.destroy();
    return ok(header("location"));
  }
  const type = header("content-type").toLowerCase();
  // Headers are foreign text too, and stand outside the frame: only words are told.
  const name = /^[\w.+-]{1,40}\/[\w.+-]{1,60}/.exec(type)?.[0] ?? "of no known type";
  if (!isText(type)) {
    response.body.destroy();
    const size = /^\d{1,15}$/.exec(header("content-length"))?.[0];
    return refuse("error", `${url.href} is ${name}${size ? `, ${size} bytes` : ""}; only text can be read.`);
  }
  const bytes = await readBody(response.body, header("content-encoding").toLowerCase());
  if (!bytes.ok) return bytes;
  const decoded = decodePage(bytes.value, type);
  if (!decoded.ok) return decoded;
  const text = await pageText(decoded.value, type, url);
  const page = { url: url.href, status, type: name, text };
  return ok({ ...page, bytes: bytes.value.length, hash: sha256(bytes.value) });
}

function isText(type: string): boolean {
  return /^(?:text\/|application\/(?:json|xml|xhtml\+xml|javascript|[\w.+-]+\+(?:json|xml))\b)/.test(type);
}

/** The body, inflated; both forms are bounded while they come. */
async function readBody(body: Readable, encoding: string): Promise<Result<Buffer>> {
  const inflate = inflaters[encoding];
  if (encoding !== "" && encoding !== "identity" && inflate === undefined)
    return refuse(
      "error",
      `The page is packed in a way that is not known (${/^[\w-]{1,20}/.exec(encoding)?.[0] ?? "?"}).`,
    );
  let raw = 0;
  body.on("data", (chunk: Buffer) => {
    raw += chunk.length;
    if (raw > maxRawBytes) body.destroy(new TooLarge(`more than ${maxRawBytes / 1048576} MB`));
  });
  const stream: Readable = inflate === undefined ? body : body.pipe(inflate());
  if (stream !== body) body.on("error", (error) => stream.destroy(error));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError("a body without bytes");
      size += chunk.length;
      if (size > maxPageBytes) throw new TooLarge(`more than ${maxPageBytes / 1048576} MB when unpacked`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof TooLarge) return refuse("error", `The page is too large: ${error.message}.`);
    throw error;
  } finally {
    body.destroy();
  }
  return ok(Buffer.concat(chunks));
}

class TooLarge extends Error {}

const inflaters: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined;
  return typeof code === "string" ? code : messageOf(cause);
}
