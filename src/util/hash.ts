// Content hashes and canonical JSON: what digests, blobs and the record's chain are made of.
import { createHash } from "node:crypto";

/** sha-256 as 64 hex digits; text is hashed as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * JSON with object keys sorted by code unit and no spaces, so that equal data has equal bytes.
 * Absent and `undefined` properties are the same; anything JSON cannot hold is an error.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`canonicalJson: ${value} is not JSON`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") {
    const pairs = Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`);
    return `{${pairs.join(",")}}`;
  }
  throw new TypeError(`canonicalJson: ${typeof value} is not JSON`);
}

/** The digest of a proposal's content, or of any other data. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
