// Which hosts and addresses a page may come from: public ones, in whatever spelling (TH91, TH93). Pure; used by src/workspace/fetch.ts.
import ipaddr from "ipaddr.js";
import { ok, type Result, refuse } from "../protocol/refusal.ts";

/** Names that mean this machine or its network, with everything below them. */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * A URL as it will be fetched: http or https, no user, no password, a host that is not plainly private. The URL's own rules have
 * brought every spelling of an address ("127.1", "0x7f000001", full-width digits) into one form by then.
 */
export function publicUrl(given: string): Result<URL> {
  const text = given.trim();
  if (/[\u0000-\u0020\u007f]/.test(text))
    return refuse("invalid", "The URL holds a blank or a control character.");
  if (!URL.canParse(text)) return refuse("invalid", "This is not a URL. Give it whole: https://…");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return refuse("invalid", `Only http and https pages can be fetched, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    return refuse("invalid", "The URL holds a user name or password; MiniCode sends none.");
  const host = hostOf(url);
  const isAddress = ipaddr.isValid(host);
  const isPublic = isAddress ? isPublicAddress(host) : host.includes(".") && !privateNames.test(host);
  if (!isPublic)
    return refuse(
      "blocked",
      `${host} is this machine or a private network; only public pages can be fetched.`,
    );
  url.hash = "";
  return ok(url);
}

/** A URL's host without brackets and without the dot of the root. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.+)\]$/, "$1").replace(/\.$/, "");
}

/** In a public range, yet each host's own: Azure answers its machines' questions about themselves there. */
const hostsOwn = new Set(["168.63.129.16"]);

/** Whether an address is one of the public internet: none that is private, special, or only another form of such a one. */
export function isPublicAddress(address: string): boolean {
  // What is no address is not public either.
  if (!ipaddr.isValid(address)) return false;
  const read = ipaddr.process(address);
  if (read.range() !== "unicast" || hostsOwn.has(read.toString())) return false;
  // Of IPv6 only 2000::/3 is given out; "::7f00:1" is an old form of an IPv4 address.
  return read instanceof ipaddr.IPv4 || ((read.parts[0] ?? 0) & 0xe000) === 0x2000;
}
