import { describe, expect, it } from "vitest";
import { isPublicAddress, publicUrl } from "../../src/policy/address.ts";

describe("what is not fetched", () => {
  it.each([
    ...[
      "file:///etc/passwd",
      "ftp://a.example/",
      "javascript:alert(1)",
      "data:text/plain,x",
      "gopher://a.example/",
    ],
    ...[
      "https://user@a.example/",
      "https://user:pw@a.example/",
      "https://a.example/\u0000",
      "https://a b.example/",
    ],
    ...["not a url", "", "//a.example/x", "https://"],
  ])("%j", (url) => {
    expect(publicUrl(url)).toMatchObject({ ok: false, refusal: { outcome: "invalid" } });
  });

  it.each([
    "https://example.com/a?b=c#d",
    "http://93.184.216.34/",
    "https://[2606:2800:220:1::]/",
    "https://bücher.example/",
  ])("%s may be", (url) => {
    const read = publicUrl(url);
    expect(read.ok && read.value.hash).toBe("");
    if (read.ok) expect(read.value.href).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
  });

  it("an address that is none is not public", () => {
    expect(isPublicAddress("")).toBe(false);
    expect(isPublicAddress("example.com")).toBe(false);
    expect(isPublicAddress("93.184.216.34")).toBe(true);
  });
});
