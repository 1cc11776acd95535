// Fuzz target: the reader of streamed answers. Any cut of the bytes gives the same events, and an answer whose bytes end too early
// gives no tool call (TH97, TH99).
import { answerValues } from "../../src/model/answer-body.ts";
import { ModelError } from "../../src/model/error.ts";
import { createAnswer } from "../../src/model/openai-answer.ts";
import { createWatch } from "../../src/model/watch.ts";
import type { ModelEvent } from "../../src/protocol/model.ts";
import { type Random, randomFrom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

const server = { label: "Fuzz", baseUrl: "http://127.0.0.1", model: "m", apiKey: undefined };
const limits = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 };
const texts = [
  "a",
  "é",
  "中",
  "👩",
  " ",
  "\n",
  "\r",
  '"',
  "</think>",
  "<think>",
  "\u2028",
  "data: ",
  "{}",
] as const;
const keepAlives = [": ping", ":", "", "event: ping", "data:", "data: null", "data: {}", "id: 7"] as const;

function some(random: Random, most: number): string {
  let text = "";
  for (let i = random.number(most); i > 0; i--) text += random.pick(texts);
  return text;
}

/** The chunks of one whole answer: text, calls in pieces, the word why it ended. */
function chunksOf(random: Random): unknown[] {
  const delta = (value: object, finish: string | null = null): unknown => ({
    choices: [{ index: 0, delta: value, finish_reason: finish }],
  });
  const chunks = [delta({ role: "assistant", content: null })];
  for (let i = random.number(4); i > 0; i--) chunks.push(delta({ content: some(random, 6) }));
  const calls = random.number(3);
  for (let index = 0; index < calls; index++) {
    const json = JSON.stringify({ path: some(random, 6), text: some(random, 6) });
    const cut = random.number(json.length);
    chunks.push(
      delta({
        tool_calls: [
          { index, id: `c${index}`, function: { name: "read_file", arguments: json.slice(0, cut) } },
        ],
      }),
      delta({ tool_calls: [{ index, function: { arguments: json.slice(cut) } }] }),
    );
  }
  chunks.push(delta({}, calls > 0 ? "tool_calls" : "stop"));
  if (random.oneIn(2)) chunks.push({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } });
  return chunks;
}

function written(values: readonly unknown[], random: Random): string {
  const end = random.pick(["\n", "\r\n", "\r"]);
  let body = random.oneIn(8) ? "\ufeff" : "";
  for (const value of values) {
    if (random.oneIn(4)) body += random.pick(keepAlives) + end + end;
    body += `data:${random.oneIn(2) ? " " : ""}${typeof value === "string" ? value : JSON.stringify(value)}${end}${end}`;
  }
  return body;
}

function cut(bytes: Uint8Array, random: Random): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.number(random.oneIn(3) ? 3 : 60);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** What the adapter makes of a body: its events, or the kind of its error. */
async function read(pieces: readonly Uint8Array[]): Promise<ModelEvent[] | string> {
  const watch = createWatch(limits, new AbortController().signal);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const answer = createAnswer(server, new Set(), false);
  const events: ModelEvent[] = [];
  try {
    for await (const value of answerValues(new Response(body), server, watch))
      events.push(...answer.take(value));
    return [...events, ...answer.end(false)];
  } catch (error) {
    if (error instanceof ModelError) return error.kind;
    throw error;
  } finally {
    watch.close();
  }
}

async function faultOf(random: Random): Promise<{ fault: string | null; dropped: boolean }> {
  const chunks = chunksOf(random);
  const whole = written(random.oneIn(2) ? [...chunks, "[DONE]"] : chunks, random);
  const bytes = Buffer.from(whole);
  const expected = createAnswer(server, new Set(), false);
  const events = [...chunks.flatMap((chunk) => expected.take(chunk)), ...expected.end(false)];
  // The beginning of the event that says why the answer ended: no cut before it may let a call through.
  const last = bytes.lastIndexOf('"finish_reason":"');
  const dropped = random.oneIn(2);
  const at = dropped ? random.number(last) : bytes.length;
  const got = await read(cut(bytes.subarray(0, at), random));
  const told = JSON.stringify({ body: whole, at });
  if (!dropped) {
    const same = JSON.stringify(got) === JSON.stringify(events);
    return { dropped, fault: same ? null : `${JSON.stringify(got)} of ${told}` };
  }
  return {
    dropped,
    fault: typeof got === "string" ? null : `half an answer passed for a whole one: ${told}`,
  };
}

export const streamParserTarget: FuzzTarget = {
  name: "stream-parser",
  async run(runs, seed) {
    const random = randomFrom(seed);
    const failures: string[] = [];
    let drops = 0;
    for (let i = 0; i < runs; i++) {
      const { fault, dropped } = await faultOf(random);
      if (dropped) drops++;
      if (fault !== null) failures.push(fault);
    }
    return { runs, failures, figures: { drops } };
  },
};
