// Why there is no connection to a model's server. Thrown by connection.ts, put into words by failure.ts.

/** No connection came about in time. */
export class ConnectTimeout extends Error {
  override readonly name = "ConnectTimeout";

  constructor(ms: number) {
    super(`no connection came about within ${ms / 1000} s (connectSeconds in its profile)`);
  }
}

/** The proxy did not let us through to the server. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
  readonly status: number;

  /** `words` is the proxy's own text. */
  constructor(status: number, words: string) {
    super(`${status} ${words}`.trimEnd());
    this.status = status;
  }
}
