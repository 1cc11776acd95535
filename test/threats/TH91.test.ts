// Every spelling of a private address is the address, and none is fetched. limit: with a proxy the proxy looks names up itself.
import { describe, expect, it } from "vitest";
import { publicUrl } from "../../src/policy/address.ts";

describe("TH91 private places in all spellings", () => {
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
    ...[
      "http://168.63.129.16/",
      "http://168.63.129.16./",
      "http://[::ffff:168.63.129.16]/",
      "http://[::127.0.0.1]/",
    ],
    ...["http://[::a9fe:a9fe]/", "http://[::2]/", "http://[4000::1]/"],
    ...["http://metadata.google.internal/", "http://router.lan/", "http://x.home.arpa/"],
  ])("%s", (url) => {
    expect(publicUrl(url)).toMatchObject({ ok: false, refusal: { outcome: "blocked" } });
  });
});
