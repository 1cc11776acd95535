// An HTTP proxy on loopback, real enough for tunnels and for plain requests: every host that is asked for is one loopback port.
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface ProxyServer {
  /** `host:port`, to be put behind a scheme and credentials. */
  address: string;
  /** First line and `proxy-authorization` of every request, in order. */
  asked: { line: string; authorization: string | undefined }[];
}

/** A proxy for this test alone. With `refuse` it answers everything with that status. */
export async function startProxy(targetPort: number, refuse?: number): Promise<ProxyServer> {
  const asked: ProxyServer["asked"] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", ({ url, headers }, client: Socket) => {
    asked.push({ line: `CONNECT ${url}`, authorization: headers["proxy-authorization"] });
    // Either side may break the tunnel.
    client.on("error", () => {});
    if (refuse !== undefined) {
      client.end(`HTTP/1.1 ${refuse} No way\r\n\r\n`);
      return;
    }
    const upstream = connect(targetPort, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
  });
  server.on("request", (incoming, outgoing) => {
    const { method, url = "", headers } = incoming;
    asked.push({ line: `${method} ${url}`, authorization: headers["proxy-authorization"] });
    if (refuse !== undefined) {
      outgoing.writeHead(refuse, "No way").end();
      return;
    }
    const { pathname } = new URL(url);
    const forwarded = { host: "127.0.0.1", port: targetPort, method, path: pathname, headers };
    incoming.pipe(
      request(forwarded, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, asked };
}
