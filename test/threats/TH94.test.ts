// Bodies are bounded while they come: packed, unpacked, in time and in what a reader has to take apart. limit: a page that is made
// to be hard to read may hold MiniCode up for three seconds.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fetchPage } from "../../src/workspace/fetch.ts";
import { fetchAt, serve, standIn } from "../workspace/page-server.ts";

describe("TH94 bodies without measure", () => {
  it("too many bytes end the page", async () => {
    const { port } = await serve((_, r) => {
      r.setHeader("content-type", "text/plain");
      const more = (): void => {
        while (r.write(Buffer.alloc(65_536, 97))) if (r.destroyed) return;
        r.once("drain", more);
      };
      more();
    });
    expect(await fetchAt(port)).toMatchObject({
      refusal: { message: "The page is too large: more than 5 MB." },
    });
  });

  it("a bomb is stopped when it has unpacked so much", async () => {
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024));
    const { port } = await serve((_, r) => {
      r.setHeader("content-type", "text/plain").setHeader("content-encoding", "gzip").end(bomb);
    });
    expect(await fetchAt(port)).toMatchObject({
      refusal: { message: "The page is too large: more than 20 MB when unpacked." },
    });
  });

  it.each([
    ["deeply nested", "<div>".repeat(300_000)],
    ["of a hundred thousand elements", "<i>x</i>".repeat(100_000)],
    ["of a million paragraphs", "<p>".repeat(1_000_000)],
    ["nested behind closing tags", "</i>".repeat(9_000) + "<div>".repeat(9_000)],
    ["of blanks that are no spaces", `${"<div>".repeat(300)}${"\f".repeat(2_000_000)}x`],
    ["never closed", `<script>${"x".repeat(100_000)}`],
    ["all comment", `<!--${"x".repeat(100_000)}`],
  ])("HTML that is %s is stripped, and takes no time", async (_, body) => {
    const { port } = await serve((_request, r) => r.setHeader("content-type", "text/html").end(body));
    expect((await fetchAt(port)).ok).toBe(true);
  });

  it("a page that keeps the reader busy without end is stripped after a while", async () => {
    const body = `<p>Before it.</p>${"<".repeat(2_000_000)}`;
    const { port } = await serve((_request, r) => r.setHeader("content-type", "text/html").end(body));
    expect(await fetchAt(port)).toMatchObject({ value: { text: "Before it." } });
  });

  it("a cancel ends the wait for a name, too", async () => {
    const cancel = new AbortController();
    const resolve = (): Promise<string[]> => new Promise(() => cancel.abort());
    const found = await fetchPage("http://page.example/", cancel.signal, { ...standIn, resolve });
    expect(found).toMatchObject({ refusal: { outcome: "cancelled" } });
  });

  it("a cancel ends the wait", async () => {
    const { port } = await serve(() => {});
    const cancel = new AbortController();
    const waiting = fetchPage(`http://page.example:${port}/`, cancel.signal, standIn);
    setImmediate(() => cancel.abort());
    expect(await waiting).toMatchObject({ refusal: { outcome: "cancelled" } });
  });
});
