// Each hop of a redirect is checked anew, and the address that was checked is the one that is dialled. limit: behind a proxy it dials.
import { describe, expect, it } from "vitest";
import { fetchPage, realNetwork } from "../../src/workspace/fetch.ts";
import { fetchAt, never, serve, standIn } from "../workspace/page-server.ts";

describe("TH92 redirects and rebinding", () => {
  it("a name at a private address is not asked", async () => {
    const { port, asked } = await serve((_, r) => r.end());
    for (const address of ["127.0.0.1", "10.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "fd00:ec2::254"]) {
      const found = await fetchAt(port, "/", { ...standIn, resolve: async () => ["93.184.216.34", address] });
      expect(found).toMatchObject({ ok: false, refusal: { outcome: "blocked" } });
    }
    expect(asked).toEqual([]);
  });

  it("the address that was checked is dialled, the name not looked up again", async () => {
    const { port } = await serve((_, r) => r.setHeader("content-type", "text/plain").end("once"));
    let looked = 0;
    const resolve = async (): Promise<string[]> => (++looked === 1 ? ["93.184.216.34"] : ["127.0.0.1"]);
    expect(await fetchAt(port, "/", { ...standIn, resolve })).toMatchObject({ value: { text: "once" } });
    expect(looked).toBe(1);
  });

  it("a redirect is followed on its own host only, and checked anew", async () => {
    const { port, asked } = await serve((request, r) => {
      const to: Record<string, string> = {
        "/here": "/there",
        "/away": "http://other.example/x",
        "/in": "http://127.0.0.1/admin",
        "/loop": "/loop",
      };
      const location = to[request.url ?? ""];
      if (location === undefined) r.setHeader("content-type", "text/plain").end("arrived");
      else r.writeHead(302, { location }).end();
    });
    expect(await fetchAt(port, "/here")).toMatchObject({ value: { text: "arrived" } });
    expect(await fetchAt(port, "/away")).toMatchObject({
      refusal: { message: expect.stringContaining("http://other.example/x") },
    });
    expect(await fetchAt(port, "/in")).toMatchObject({ ok: false });
    expect(await fetchAt(port, "/loop")).toMatchObject({
      refusal: { message: expect.stringContaining("more than 5") },
    });
    expect(asked.some((line) => line.startsWith("127.0.0.1"))).toBe(false);
  });

  it("a redirect to another port, to no URL, or to no page ends there", async () => {
    const { port, asked } = await serve((request, r) => {
      const location = decodeURIComponent((request.url ?? "").slice(1));
      r.writeHead(302, { location }).end();
    });
    const messageOf = async (location: string): Promise<string> => {
      const found = await fetchAt(port, `/${encodeURIComponent(location)}`);
      return found.ok ? "fetched" : found.refusal.message;
    };
    expect(await messageOf("http://page.example:1/x")).toMatch(/another host: http:\/\/page\.example:1\/x/);
    expect(await messageOf("http://[bad")).toMatch(/not a URL/);
    expect(await messageOf("//")).toMatch(/not a URL/);
    expect(await messageOf("javascript:x")).toMatch(/Only http and https/);
    expect(await messageOf("http://u:p@page.example/")).toMatch(/user name or password/);
    expect(await messageOf("http://169.254.169.254/")).toMatch(/private network/);
    expect(asked).toHaveLength(6);
  });

  it("this machine is not fetched by the real network either", async () => {
    const { port, asked } = await serve((_, r) => r.end());
    expect(await fetchPage(`http://localhost:${port}/`, never, realNetwork)).toMatchObject({ ok: false });
    expect(await fetchPage(`http://127.1:${port}/`, never)).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
  });
});
