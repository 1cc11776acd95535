// A loopback server that stands behind a public address, through the port that only tests have. Used by the tests of web_fetch.
import { createServer, type RequestListener, type Server } from "node:http";
import { onTestFinished } from "vitest";
import { fetchPage, type Network } from "../../src/workspace/fetch.ts";

export const never = new AbortController().signal;

export async function serve(
  listener: RequestListener,
): Promise<{ port: number; server: Server; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    listener(request, response);
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, server, asked };
}

/** Every name is at one public address, and that is dialled as this machine. */
export const standIn: Network = { resolve: async () => ["93.184.216.34"], dial: () => "127.0.0.1" };
export const fetchAt = (port: number, path = "/", network = standIn) =>
  fetchPage(`http://page.example:${port}${path}`, never, network);
