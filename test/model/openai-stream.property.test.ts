// Any chunking of any valid stream gives the same events and the same message: bytes are cut anywhere, also inside a character
// and inside CRLF, lines end in each of the three ways, and keep-alives come in between (case S04, threat TH99).
import fc from "fast-check";
import { expect, it } from "vitest";
import { createAnswer } from "../../src/model/openai-answer.ts";
import type { ToolCall } from "../../src/protocol/message.ts";
import type { ModelEvent } from "../../src/protocol/model.ts";
import { streamHead } from "../helpers/raw-server.ts";
import { collect, delta, messageIn, modelAt, serve } from "./ask.ts";

const text = fc
  .string({
    unit: fc.constantFrom("a", "é", "中", "👩", " ", "\n", "\r", '"', "</", "\u2028"),
    maxLength: 10,
  })
  .map((rest) => `A${rest}`);
/** Places to cut at, as parts of a length; doubles would nearly all be close to 0. */
const cuts = (most: number) =>
  fc.array(
    fc.nat(1_000).map((n) => n / 1_000),
    { maxLength: most },
  );

/** `whole` in pieces, cut at these parts of its length; between any two code units, as tokens are. */
function pieces(whole: string, at: readonly number[]): string[] {
  const places = [
    0,
    ...at.map((part) => Math.round(part * whole.length)).sort((a, b) => a - b),
    whole.length,
  ];
  return places.slice(1).map((place, i) => whole.slice(places[i], place));
}

interface Story {
  thought: { field: "none" | "reasoning_content" | "reasoning" | "tag"; text: string };
  said: string;
  calls: { name: string; args: Record<string, unknown> }[];
  cuts: number[];
  /** Calls one after the other, or the pieces of all mixed. */
  mixed: boolean;
  usage: "none" | "apart" | "with the finish" | "cumulative";
  finish: string;
}

const story: fc.Arbitrary<Story> = fc.record({
  thought: fc.record({ field: fc.constantFrom("none", "reasoning_content", "reasoning", "tag"), text }),
  said: fc.oneof(text, fc.constant("")),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("read_file", "list_dir"),
      args: fc.dictionary(fc.constantFrom("path", "n", "text"), fc.oneof(text, fc.integer()), { maxKeys: 2 }),
    }),
    { maxLength: 3 },
  ),
  cuts: cuts(3),
  mixed: fc.boolean(),
  usage: fc.constantFrom("none", "apart", "with the finish", "cumulative"),
  finish: fc.constantFrom("stop", "tool_calls", "length"),
});

const counts = (output: number) => ({
  prompt_tokens: 10,
  completion_tokens: output,
  total_tokens: 10 + output,
});

/** What a server sends for a story, and what has to come of it. */
function chunksOf({ thought, said, calls, cuts: at, mixed, usage, finish }: Story): unknown[] {
  const field = thought.field === "tag" ? "content" : thought.field;
  const inTag = thought.field === "tag" ? `\n<think>\n${thought.text}</think>\n\n` : "";
  const thoughts =
    thought.field === "none" || thought.field === "tag"
      ? []
      : pieces(thought.text, at).map((p) => ({ [field]: p }));
  const texts = pieces(inTag + said, at).map((content) => ({ content }));
  const called = calls.map(({ name, args }, index) =>
    pieces(JSON.stringify(args), at).map((piece, n) => ({
      tool_calls: [
        {
          index,
          ...(n === 0 ? { id: `c${index}`, type: "function" } : {}),
          function: { ...(n === 0 ? { name } : {}), arguments: piece },
        },
      ],
    })),
  );
  const inOrder = mixed ? (called[0] ?? []).flatMap((_, n) => called.map((one) => one[n])) : called.flat();
  const deltas = [{ role: "assistant", content: null }, ...thoughts, ...texts, ...inOrder];
  const running = (n: number) => (usage === "cumulative" ? { usage: counts(n + 1) } : {});
  return [
    ...deltas.map((one, n) => ({ ...Object(delta(one)), ...running(n) })),
    { ...Object(delta({}, finish)), ...(usage === "none" || usage === "apart" ? {} : { usage: counts(99) }) },
    ...(usage === "apart" ? [{ choices: [], usage: counts(99) }] : []),
  ];
}

/** How one event is written. */
interface Framing {
  end: "\n" | "\r\n" | "\r";
  space: boolean;
  before: string[];
  pretty: boolean;
  keepAlives: string[];
}

const framing: fc.Arbitrary<Framing> = fc.record({
  end: fc.constantFrom("\n", "\r\n", "\r"),
  space: fc.boolean(),
  before: fc.subarray(["event: message", "id: 7", ": a comment – 中", "retry: 100", "unknown: 1"]),
  pretty: fc.boolean(),
  keepAlives: fc.array(fc.constantFrom(": ping", ":", "", "event: ping", "data:", "data: null", "data: {}"), {
    maxLength: 2,
  }),
});

function written(value: unknown, { end, space, before, pretty, keepAlives }: Framing): string {
  const json = typeof value === "string" ? value : JSON.stringify(value, null, pretty ? 1 : undefined);
  const data = json.split("\n").map((line) => `data:${space ? " " : ""}${line}`);
  const alive = keepAlives.map((line) => line + end + end).join("");
  return alive + [...before, ...data].map((line) => line + end).join("") + end;
}

function expected(chunks: readonly unknown[]): ModelEvent[] {
  const server = { label: "x", baseUrl: "x", model: "m-1", apiKey: undefined };
  const answer = createAnswer(server, new Set(), false);
  return [...chunks.flatMap((chunk) => answer.take(chunk)), ...answer.end(false)];
}

it("whatever way the bytes come, the events are the same", { timeout: 60_000 }, async () => {
  let writes: Uint8Array[] = [];
  const server = await serve(async ({ write, end }) => {
    await write(streamHead, ...writes);
    end();
  });
  const model = modelAt(server.url);
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.array(framing, { minLength: 1, maxLength: 5 }),
      fc.record({ bom: fc.boolean(), done: fc.boolean(), ended: fc.boolean() }),
      cuts(10),
      async (told, framings, { bom, done, ended }, at) => {
        const chunks = chunksOf(told);
        const values = done ? [...chunks, "[DONE]"] : chunks;
        const plain: Framing = { end: "\n", space: true, before: [], pretty: false, keepAlives: [] };
        const stream = values.map((one, n) => written(one, framings[n % framings.length] ?? plain)).join("");
        const bytes = Buffer.from((bom ? "\ufeff" : "") + (ended ? stream : stream.trimEnd()));
        const places = [
          0,
          ...at.map((part) => Math.round(part * bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ];
        writes = places.slice(1).map((place, i) => bytes.subarray(places[i], place));
        const outcome = await collect(model);
        expect(outcome.error).toBeUndefined();
        expect(outcome.events).toEqual(expected(chunks));
        expectStory(outcome, told);
      },
    ),
    { numRuns: 1_000 },
  );
});

function expectStory(outcome: Awaited<ReturnType<typeof collect>>, told: Story): void {
  const { message, usage, stop } = messageIn(outcome);
  const { thought, said, calls } = told;
  expect(message.text).toBe(said);
  expect(outcome.text).toBe(said);
  expect(message.reasoning).toBe(thought.field === "none" ? undefined : thought.text);
  expect(message.calls).toEqual(
    calls.map(({ name, args }, n): ToolCall => ({ id: `c${n}`, name, arguments: JSON.stringify(args) })),
  );
  expect(usage).toEqual(told.usage === "none" ? {} : { input: 10, output: 99 });
  expect(stop).toBe(told.finish === "length" ? "length" : calls.length > 0 ? "calls" : "stop");
  const run = outcome.events.filter(({ type }) => type === "tool_call");
  expect(run).toHaveLength(stop === "calls" ? calls.length : 0);
}
