// A loopback server that writes exactly the bytes a test gives it: stream tests need control over every TCP write.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface RawRequest {
  /** First line, e.g. "POST /v1/chat/completions HTTP/1.1". */
  line: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface Exchange {
  request: RawRequest;
  /** Writes each piece in a turn of its own, so that they go out as separate segments. */
  write(...pieces: (string | Uint8Array)[]): Promise<void>;
  /** Ends the connection cleanly. */
  end(): void;
  /** Ends it with a reset. */
  reset(): void;
  /** Settles when the client has closed the connection. */
  closed: Promise<void>;
}

interface RawServer {
  /** Base URL with the path `/v1`. */
  url: string;
  requests: RawRequest[];
  close(): Promise<void>;
}

/** Answers every request with `answer`; the connection ends with the exchange. */
export async function startRawServer(
  answer: (exchange: Exchange) => void | Promise<void>,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    // The client breaks connections on purpose.
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    const closed = once(socket, "close").then(() => {});
    let received = Buffer.alloc(0);
    const onData = (data: Buffer): void => {
      received = Buffer.concat([received, data]);
      const request = parseRequest(received);
      if (request === undefined) return;
      socket.off("data", onData);
      socket.resume();
      requests.push(request);
      const write = async (...pieces: (string | Uint8Array)[]): Promise<void> => {
        for (const piece of pieces) {
          socket.write(piece);
          await nextTurn();
        }
      };
      void answer({ request, write, end: () => socket.end(), reset: () => socket.resetAndDestroy(), closed });
    };
    socket.on("data", onData);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** The head of an answer whose body ends with the connection. */
export function head(status: number, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`;
}

export const streamHead = head(200, { "content-type": "text/event-stream" });

/** One server-sent event with this data; anything but text is sent as JSON. */
export function event(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

function parseRequest(bytes: Buffer): RawRequest | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [line = "", ...fields] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(":")).toLowerCase(),
      field.slice(field.indexOf(":") + 1).trim(),
    ]),
  );
  const body = bytes.subarray(end + 4);
  if (body.length < Number(headers["content-length"] ?? 0)) return undefined;
  return { line, headers, body: body.toString("utf8") };
}
