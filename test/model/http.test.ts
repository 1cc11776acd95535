// Requests as the adapters send them: the time to connect, connections kept and given up, refusals, proxies for plain http.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { ModelError } from "../../src/model/error.ts";
import { createHttp } from "../../src/model/http.ts";
import { startProxy } from "../helpers/proxy-server.ts";
import { head } from "../helpers/raw-server.ts";
import { serve } from "./ask.ts";

const direct = {};
const server = (baseUrl: string) => ({
  label: "Test server",
  baseUrl,
  model: "m-1",
  apiKey: "sk-test-1234",
  apiKeyEnv: "TEST_KEY",
});

function httpTo(baseUrl: string, env: NodeJS.ProcessEnv = direct, connectMs = 10_000) {
  return createHttp(server(baseUrl), { connectMs }, env);
}

/** The error of a request that must fail. */
async function failed(sent: Promise<Response>): Promise<ModelError> {
  const error: unknown = await sent.then(
    () => new Error("it was answered"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw error;
  return error;
}

/** A port of this machine behind which something listens as `onSocket` says, for this test alone. */
async function listen(listener: NetServer): Promise<number> {
  const sockets = new Set<Socket>();
  listener.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
    await once(listener, "close");
  });
  return (listener.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, "close");
  return port;
}

test("a request goes out as it is given, and its answer comes back unread", async () => {
  const { url, requests } = await serve(async ({ write, end }) => {
    await write(head(200, { "content-type": "text/plain" }), "hello");
    end();
  });
  const response = await httpTo(url).send(`${url}/chat`, {
    method: "POST",
    headers: new Headers({ Authorization: "Bearer k", "user-agent": "minicode" }),
    body: '{"a":1}',
  });
  expect(await response.text()).toBe("hello");
  expect(requests[0]?.line).toBe("POST /v1/chat HTTP/1.1");
  expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer k", "user-agent": "minicode" });
  expect(requests[0]?.body).toBe('{"a":1}');
  expect(await (await httpTo(url).send(new Request(`${url}/models`))).text()).toBe("hello");
  expect(requests[1]?.line).toBe("GET /v1/models HTTP/1.1");
});

test("connections are kept between requests", async () => {
  const ports = new Set<number | undefined>();
  const port = await listen(
    createHttpServer((incoming, outgoing) => {
      ports.add(incoming.socket.remotePort);
      incoming.resume().on("end", () => outgoing.end("ok"));
    }),
  );
  const http = httpTo(`http://127.0.0.1:${port}/v1`);
  for (let i = 0; i < 5; i++) {
    const response = await http.send(`http://127.0.0.1:${port}/v1/x`, { method: "POST", body: "{}" });
    await response.text();
    await nextTurn();
  }
  expect(ports.size).toBe(1);
});

describe("a connection", () => {
  test("that does not come about in time says so", async () => {
    // TCP opens, TLS never answers.
    const port = await listen(createServer());
    const url = `https://127.0.0.1:${port}/v1`;
    const error = await failed(httpTo(url, direct, 50).send(url));
    expect(error).toMatchObject({ kind: "timeout", retryable: true });
    expect(error.message).toBe(
      "Test server cannot be reached: no connection came about within 0.05 s (connectSeconds in its profile)",
    );
    expect(error.hint).toContain(url);
  });

  test("nobody waits for any more is given up, and the next request opens another", async () => {
    let opened = 0;
    const closed: Promise<unknown>[] = [];
    const silent = createServer((socket) => {
      opened++;
      closed.push(once(socket, "close"));
      silent.emit("opened");
    });
    const port = await listen(silent);
    const url = `https://127.0.0.1:${port}/v1`;
    const http = httpTo(url);
    for (const count of [1, 2]) {
      const cancel = new AbortController();
      const sent = failed(http.send(url, { signal: cancel.signal }));
      await once(silent, "opened");
      cancel.abort();
      await sent;
      await Promise.all(closed);
      expect(opened).toBe(count);
    }
  });

  test("that is refused names the place to look", async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    const error = await failed(httpTo(url).send(url));
    expect(error).toMatchObject({ kind: "network", retryable: true });
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.hint).toContain(url);
  });
});

test("a refusal without end is read no further than it takes", async () => {
  const { url } = await serve(async ({ write, closed }) => {
    const page = "<p>no</p>".repeat(1_000);
    let open = true;
    void closed.then(() => {
      open = false;
    });
    await write(head(503, { "content-type": "text/html" }));
    while (open) await write(page);
  });
  const error = await failed(httpTo(url).send(url));
  expect(error).toMatchObject({ kind: "server", status: 503 });
  expect(error.message).toMatch(/^Test server answered 503: no no no/);
});

describe("a proxy for plain http", () => {
  const url = "http://model.test/v1";

  async function target(): Promise<{ port: number; asked: string[] }> {
    const asked: string[] = [];
    const listener = createHttpServer(({ method, url: path, headers }, outgoing) => {
      asked.push(`${method} ${path} ${headers.host} ${headers["proxy-authorization"] ?? "-"}`);
      outgoing.end("from the model");
    });
    return { port: await listen(listener), asked };
  }

  test("is asked with the whole address and its credentials", async () => {
    const { port, asked } = await target();
    const proxy = await startProxy(port);
    const http = httpTo(url, { HTTP_PROXY: `http://me:secret@${proxy.address}` });
    const response = await http.send(`${url}/models?x=1`, { headers: { "x-own": "1" } });
    expect(await response.text()).toBe("from the model");
    const authorization = `Basic ${Buffer.from("me:secret").toString("base64")}`;
    expect(proxy.asked).toEqual([{ line: `GET ${url}/models?x=1`, authorization }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("GET /v1/models model.test");
  });

  test("is not asked for this machine, nor for what NO_PROXY names", async () => {
    const { port, asked } = await target();
    const proxy = await startProxy(port);
    const here = `http://127.0.0.1:${port}/v1`;
    const env = { http_proxy: proxy.address, NO_PROXY: "*.test" };
    await (await httpTo(here, env).send(here)).text();
    expect(asked).toHaveLength(1);
    await failed(httpTo(url, env).send(url));
    expect(proxy.asked).toEqual([]);
  });

  test("that wants another password is named, and its credentials are not", async () => {
    const proxy = await startProxy(1, 407);
    const env = { HTTP_PROXY: `http://me:secret@${proxy.address}` };
    const error = await failed(httpTo(url, env).send(url));
    expect(error).toMatchObject({ kind: "network", status: 407, retryable: false });
    expect(error.message).toBe(
      `Test server cannot be reached through the proxy http://${proxy.address}: the proxy answered 407 No way`,
    );
    expect(error.hint).toContain("HTTP_PROXY");
    expect(`${error.message} ${error.hint}`).not.toMatch(/secret|bWU6/);
  });
});

describe("a proxy for https", () => {
  const url = "https://model.test/v1";

  test.each([
    [407, false, "user name and password into HTTPS_PROXY"],
    [403, false, "NO_PROXY"],
    [502, true, "NO_PROXY"],
  ])("that answers the tunnel with %i", async (status, retryable, advice) => {
    const proxy = await startProxy(1, status);
    const env = { HTTPS_PROXY: `http://me:secret@${proxy.address}` };
    const error = await failed(httpTo(url, env).send(url));
    expect(error).toMatchObject({ kind: "network", status, retryable });
    expect(error.message).toBe(
      `Test server cannot be reached through the proxy http://${proxy.address}: the proxy answered ${status} No way`,
    );
    expect(error.hint).toContain(advice);
    expect(`${error.message} ${error.hint}`).not.toMatch(/secret|bWU6/);
    expect(proxy.asked).toEqual([
      {
        line: "CONNECT model.test:443",
        authorization: `Basic ${Buffer.from("me:secret").toString("base64")}`,
      },
    ]);
  });

  test("that is not there is named", async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const error = await failed(httpTo(url, { https_proxy: `http://me:secret@${address}` }).send(url));
    expect(error).toMatchObject({ kind: "network", retryable: true });
    expect(error.message).toContain(`through the proxy http://${address}`);
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.hint).toContain("https_proxy");
  });

  test("that says nothing is waited for no longer than for a connection", async () => {
    const port = await listen(createServer());
    const error = await failed(httpTo(url, { HTTPS_PROXY: `127.0.0.1:${port}` }, 50).send(url));
    expect(error).toMatchObject({ kind: "timeout", retryable: true });
    expect(error.message).toBe(
      `Test server cannot be reached through the proxy http://127.0.0.1:${port}: no connection came about within 0.05 s (connectSeconds in its profile)`,
    );
  });

  test("that is no HTTP proxy is an error before anything is sent", async () => {
    const error = await failed(httpTo(url, { HTTPS_PROXY: "socks5://me:secret@proxy.test:1080" }).send(url));
    expect(error).toMatchObject({ kind: "network", retryable: false });
    expect(error.message).toContain("HTTPS_PROXY is not the address of an HTTP proxy");
    expect(`${error.message} ${error.hint}`).not.toContain("secret");
  });
});
