// A fetched web page, as text. Made by src/workspace/fetch.ts, told to the model by src/agent/perform-fetch.ts.

export interface Page {
  /** Where it came from in the end. */
  url: string;
  status: number;
  type: string;
  /** Readable text. */
  text: string;
  /** As they came over the line. */
  bytes: number;
  /** Sha-256 of these bytes. */
  hash: string;
}
