import { describe, expect, it } from "vitest";
import { isPublicAddress, publicUrl } from "../../src/policy/address.ts";

describe("what is not fetched (TH91)", () => {
  it.each([
    ...[
      "http://127.0.0.1/",
      "http://127.1/",
      "http://2130706433/",
      "http://0x7f000001/",
      "http://0177.0.0.1/",
    ],
    ...["http://0/", "http://0.0.0.0/", "http://127.0.0.1./", "http://①②⑦.0.0.1/", "http://127。0。0。1/"],
    ...["http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"],
    ...["http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[fe80::1]/", "http://[fc00::1]/"],
    ...[
      "http://[fd00:ec2::254]/",
      "http://169.254.169.254/latest/",
      "http://10.0.0.1/",
      "http://192.168.1.1/",
    ],
    ...["http://172.16.0.1/", "http://100.64.0.1/", "http://224.0.0.1/", "http://255.255.255.255/"],
    ...[
      "http://localhost/",
      "http://LOCALHOST./",
      "http://a.localhost/",
      "http://printer/",
      "http://nas.local/",
    ],
    ...["http://metadata.google.internal/", "http://router.lan/", "http://x.home.arpa/"],
  ])("%s", (url) => {
    expect(publicUrl(url)).toMatchObject({ ok: false, refusal: { outcome: "blocked" } });
  });

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
