// Connections to a model's server, direct or through a proxy. Loaded by http.ts at the first request only: undici is heavy.
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, connect as openTcp, type Socket } from "node:net";
import { connect as openTls } from "node:tls";
import { Agent, type buildConnector, type Dispatcher, fetch } from "undici";
import { ConnectTimeout, ProxyRefusal } from "./connect-error.ts";

/** The way to a proxy: its origin, and what it wants to know of us. */
export interface Way {
  origin: string;
  authorization: string | undefined;
}

/** One request; its body is text. */
export interface PlainRequest {
  method: string;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal | null;
}

type Target = Pick<buildConnector.Options, "hostname" | "protocol" | "port">;

/**
 * A `fetch` with connections of its own, kept alive between requests; at rest they do not keep the process alive, and none is
 * being opened. A connection that takes longer than `connectMs`, proxy and TLS included, fails with a `ConnectTimeout`, one that
 * the proxy refuses with a `ProxyRefusal`, each as a cause of what is thrown. There is no other limit; redirects are not followed.
 */
export function openSend(
  way: Way | undefined,
  connectMs: number,
): (url: string, request: PlainRequest) => Promise<Response> {
  const opening = new Set<AbortController>();
  let waiting = 0;
  const connect: buildConnector.connector = (target, callback) => {
    const cut = new AbortController();
    const clock = setTimeout(() => cut.abort(new ConnectTimeout(connectMs)), connectMs);
    opening.add(cut);
    openConnection(target, way, cut.signal)
      .finally(() => {
        clearTimeout(clock);
        opening.delete(cut);
      })
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
  };
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect });
  const forwarding = agent.compose(forward(way?.authorization));
  return async (url, request) => {
    const forwarded = way !== undefined && new URL(url).protocol === "http:";
    waiting++;
    try {
      return await fetch(url, { ...request, dispatcher: forwarded ? forwarding : agent, redirect: "manual" });
    } finally {
      waiting--;
      if (waiting === 0) for (const cut of opening) cut.abort(new Error("nobody waits for it any more"));
    }
  };
}

/** What a proxy is asked for in plain http is named by its whole address. */
function forward(authorization: string | undefined): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const path = `${options.origin}${options.path}`;
    const headers = { ...options.headers, ...(authorization && { "proxy-authorization": authorization }) };
    return dispatch({ ...options, path, headers }, refusedWith407(handler));
  };
}

/** `handler`, told of a 407 as what it is: fetch would say nothing but that it failed. */
function refusedWith407(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onResponseStart: (controller, status, headers, words) => {
      if (status === 407) throw new ProxyRefusal(status, words ?? "");
      handler.onResponseStart?.(controller, status, headers, words);
    },
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

/** Plain http behind a proxy goes to the proxy itself; https has a tunnel. */
async function openConnection(target: Target, way: Way | undefined, signal: AbortSignal): Promise<Socket> {
  if (way === undefined) return openSocket(target, undefined, signal);
  if (target.protocol !== "https:") return openSocket(new URL(way.origin), undefined, signal);
  return openSocket(target, await openTunnel(way, target, signal), signal);
}

/** A socket that is ready for requests, in TLS where the protocol wants it; over `tunnel` when there is one. */
function openSocket(target: Target, tunnel: Socket | undefined, signal: AbortSignal): Promise<Socket> {
  const { protocol } = target;
  const host = target.hostname.replace(/^\[(.+)\]$/, "$1");
  const port = portOf(target);
  const secure = protocol === "https:";
  const socket = secure
    ? openTls({
        ...(tunnel === undefined ? { port } : { socket: tunnel }),
        host,
        servername: isIP(host) === 0 ? host : "",
        ALPNProtocols: ["http/1.1"],
      })
    : openTcp({ host, port });
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      socket.destroy();
      tunnel?.destroy();
      reject(signal.reason);
    };
    // They stay: what goes wrong before the socket is handed over must not end the process.
    tunnel?.on("error", reject);
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
    socket.once(secure ? "secureConnect" : "connect", () => {
      signal.removeEventListener("abort", giveUp);
      resolve(socket);
    });
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}

/** Has the proxy connect us with the target. Rejects with a `ProxyRefusal` when it says no. */
function openTunnel({ origin, authorization }: Way, target: Target, signal: AbortSignal): Promise<Socket> {
  const host = isIP(target.hostname) === 6 ? `[${target.hostname}]` : target.hostname;
  const place = `${host}:${portOf(target)}`;
  const send = origin.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(origin, {
      method: "CONNECT",
      path: place,
      agent: false,
      headers: { host: place, ...(authorization && { "proxy-authorization": authorization }) },
      signal,
    });
    request.once("connect", ({ statusCode = 0, statusMessage = "" }, socket: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new ProxyRefusal(statusCode, statusMessage));
    });
    request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    request.end();
  });
}

function portOf({ protocol, port }: Target): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
}
