// Whole processes: https through a proxy's tunnel with a certificate of the test's own, connections that are reused, and an end that
// waits for none of them; what a start does not load.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as wholeText } from "node:stream/consumers";
import { build } from "esbuild";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../helpers/bundle.ts";
import { startProxy } from "../helpers/proxy-server.ts";
import { event } from "../helpers/raw-server.ts";
import { delta } from "./ask.ts";

const folder = mkdtempSync(join(tmpdir(), "minicode-http-"));
const program = join(folder, "ask.mjs");
const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];

beforeAll(async () => {
  await bundle(join(import.meta.dirname, "../fixtures/ask.ts"), program);
  const names = "subjectAltName=DNS:model.test,IP:127.0.0.1";
  const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync(
    "openssl",
    [...make, "-keyout", key, "-out", cert, "-subj", "/CN=model.test", "-addext", names],
    {
      stdio: "ignore",
    },
  );
});

/** Starts a server on loopback for this test alone and gives its port. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("it listens to no port");
  return address.port;
}

/** A model behind TLS that keeps its connections open, and the ports of those it was asked over. */
async function secureModel(): Promise<{ port: number; from: Set<number | undefined> }> {
  const from = new Set<number | undefined>();
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert), keepAliveTimeout: 600_000 },
    (incoming, outgoing) => {
      from.add(incoming.socket.remotePort);
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      incoming
        .resume()
        .on("end", () => outgoing.end(`${event(delta({ content: "hello" }, "stop"))}${event("[DONE]")}`));
    },
  );
  return { port: await listen(server), from };
}

function start(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** What the program printed, once it has ended by itself. */
async function printed(child: ChildProcess): Promise<unknown[]> {
  const out = child.stdout === null ? "" : wholeText(child.stdout);
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
  return (await out)
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

describe("https", () => {
  test("goes through the tunnel of a proxy, over one connection for all requests, and the process ends", async () => {
    const { port, from } = await secureModel();
    const proxy = await startProxy(port);
    const env = { HTTPS_PROXY: `http://me:p%40ss@${proxy.address}`, NODE_EXTRA_CA_CERTS: cert };
    const child = start(["https://model.test/v1", "3"], env);
    expect(await printed(child)).toEqual(Array(3).fill({ text: "hello" }));
    const authorization = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    expect(proxy.asked).toEqual([{ line: "CONNECT model.test:443", authorization }]);
    expect(from.size).toBe(1);
  });

  test("needs no proxy", async () => {
    const { port, from } = await secureModel();
    const proxy = await startProxy(1);
    const env = { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: cert };
    const child = start([`https://127.0.0.1:${port}/v1`, "2"], env);
    expect(await printed(child)).toEqual(Array(2).fill({ text: "hello" }));
    expect(from.size).toBe(1);
    expect(proxy.asked).toEqual([]);
  });

  test("with a certificate that nobody vouches for is refused, through the tunnel too", async () => {
    const { port, from } = await secureModel();
    const proxy = await startProxy(port);
    const expected = [
      { kind: "network", message: expect.stringContaining("certificate that cannot be trusted") },
    ];
    const tunnelled = start(["https://model.test/v1"], { HTTPS_PROXY: proxy.address });
    expect(await printed(tunnelled)).toEqual(expected);
    expect(await printed(start([`https://127.0.0.1:${port}/v1`], {}))).toEqual(expected);
    expect(from.size).toBe(0);
  });

  test("with the certificate of another host is refused", async () => {
    const { port, from } = await secureModel();
    const proxy = await startProxy(port);
    const env = { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: cert };
    const [answer] = await printed(start(["https://other.test/v1"], env));
    expect(answer).toMatchObject({ kind: "network", message: expect.stringContaining("ALTNAME_INVALID") });
    expect(from.size).toBe(0);
  });
});

test("a request that is cancelled while its connection is opened leaves nothing that keeps the process", async () => {
  const silent = createTcpServer();
  const port = await listen(silent);
  const child = start([`https://127.0.0.1:${port}/v1`, "1", "cancel"], {});
  await once(silent, "connection");
  child.stdin?.write("now\n");
  expect(await printed(child)).toMatchObject([{ kind: "cancelled" }]);
});

test("a start loads no package that only some requests need", async () => {
  const { metafile } = await build({
    absWorkingDir: join(import.meta.dirname, "../.."),
    entryPoints: ["src/main.ts", "src/model/create.ts"],
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    metafile: true,
    format: "esm",
    platform: "node",
    external: ["@vscode/ripgrep"],
    logLevel: "error",
  });
  const loaded = new Set<string>();
  const load = (output: string): void => {
    if (loaded.has(output)) return;
    loaded.add(output);
    for (const { path, kind } of metafile.outputs[output]?.imports ?? []) {
      if (kind === "import-statement") load(path);
    }
  };
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint === "src/main.ts" || entryPoint === "src/model/create.ts") load(output);
  }
  const inputs = [...loaded].flatMap((output) => Object.keys(metafile.outputs[output]?.inputs ?? {}));
  expect(inputs).toContain("src/model/scripted.ts");
  const heavy = /node_modules\/(openai|@anthropic-ai|undici|linkedom|turndown|@mozilla|@mariozechner)\//;
  expect(inputs.filter((input) => heavy.test(input))).toEqual([]);
});
