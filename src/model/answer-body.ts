// An answer's body as JSON values: the events of a stream, or the one value of a server that does not stream. Used by the HTTP
// adapters.
import { property } from "./error-body.ts";
import { bodyText, type ServerEvent, serverEvents } from "./event-stream.ts";
import { failure, reportedFailure, type Server } from "./failure.ts";
import type { Watch } from "./watch.ts";

/** As much of a page is read: enough to see whose it is. */
const maxPage = 4_000;

/**
 * Each event's value, in order, up to `[DONE]` where a server sends that; `onDone` is told of it. What a body is its first
 * character says: servers give wrong content types. Throws a `ModelError` for an event that reports an error and for what is no
 * answer.
 */
export async function* answerValues(
  response: Response,
  server: Server,
  watch: Watch,
  onDone: () => void = () => {},
): AsyncGenerator<unknown> {
  const texts = bodyText(response, server, watch);
  let beginning = "";
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    beginning += next.value;
    if (beginning.trim() !== "") break;
  }
  const whole = startingWith(beginning, texts);
  const first = beginning.trimStart().charAt(0);
  if (first === "<") throw await webPage(whole, response, server);
  if (first === "{" || first === "[") yield* jsonValues(whole, server);
  else yield* eventValues(whole, response, server, onDone);
}

async function* startingWith(beginning: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield beginning;
  yield* texts;
}

async function* eventValues(
  texts: AsyncIterable<string>,
  { status }: Response,
  server: Server,
  onDone: () => void,
): AsyncGenerator<unknown> {
  let strays = "";
  let events = 0;
  for await (const event of serverEvents(texts)) {
    if (event.kind === "stray") {
      if (strays.length < maxPage) strays += `${event.data}\n`;
      continue;
    }
    if (event.data.trim().startsWith("[DONE]")) return onDone();
    const values = valuesOf(event, server);
    events += values.length;
    if (event.name === "error") throw reportedFailure(server, reportedIn(values[0], event.data));
    yield* values;
  }
  if (events === 0 && strays !== "")
    throw failure(server, "invalid_response", `answered ${status} with no model's answer: ${strays}`);
}

/** An error's value: the object in it that says it, or what stands there where that is no JSON. */
function reportedIn(value: unknown, data: string): unknown {
  return property(value, "error") ?? value ?? data;
}

/** One value, or one per line from servers that end an event with one line end. */
function valuesOf({ name, data, kind }: ServerEvent, server: Server): unknown[] {
  const values = parsed(data) ?? linesOf(data);
  if (values !== undefined) return values;
  // What was cut off is missed at the end of the answer; an error may be plain words.
  if (kind === "cut" || name === "error") return [];
  throw notJson(data, server);
}

/** The value of a body, those of a list, or one per line. */
async function* jsonValues(texts: AsyncIterable<string>, server: Server): AsyncGenerator<unknown> {
  let body = "";
  for await (const text of texts) body += text;
  const values = parsed(body)?.flat() ?? linesOf(body);
  if (values === undefined) throw notJson(body, server);
  yield* values;
}

function linesOf(text: string): unknown[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parsed);
  return values.every((value) => value !== undefined) ? values.flat() : undefined;
}

/** The value in a list, so that `null` is told from no value. */
function parsed(json: string): [unknown] | undefined {
  try {
    return [JSON.parse(json)];
  } catch {
    return undefined;
  }
}

async function webPage(texts: AsyncIterable<string>, { status }: Response, server: Server) {
  let page = "";
  for await (const text of texts) {
    page += text;
    if (page.length > maxPage) break;
  }
  const what = `answered ${status} with a web page, not a model's answer: ${page.slice(0, maxPage)}`;
  return failure(server, "invalid_response", what, { status });
}

function notJson(data: string, server: Server) {
  return failure(server, "invalid_response", `sent a piece that is not JSON: ${data.slice(0, maxPage)}`, {
    retryable: true,
  });
}
