import { expect, it } from "vitest";
import { type TaskWith, taskWith } from "../agent/task-with.ts";
import { type Exchange, event, head, streamHead } from "../helpers/raw-server.ts";
import { callDelta, delta, modelAt, serve } from "../model/ask.ts";

const hel = event(delta({ content: "Hel" }));
const hello = [streamHead, event(delta({ content: "Hello" }, "stop")), event("[DONE]")];
const half = event(
  callDelta({ index: 0, id: "c1", function: { name: "apply_patch", arguments: '{"reason":"r","cha' } }),
);
const chunked = head(200, {
  connection: "keep-alive",
  "content-type": "text/event-stream",
  "transfer-encoding": "chunked",
});

interface Failing {
  answer(exchange: Exchange): Promise<void>;
  /** What is shown before it fails. */
  draft: string;
  why: RegExp;
}

const pieces =
  (...parts: string[]) =>
  async ({ write, end }: Exchange): Promise<void> => {
    await write(...parts);
    end();
  };

const failing: Record<string, Failing> = {
  "(a) an error after the first words": {
    answer: pieces(
      streamHead,
      hel,
      event({ error: { message: "upstream overloaded", code: 502 } }),
      event("[DONE]"),
    ),
    draft: "Hel",
    why: /^Test server reported an error: upstream overloaded$/,
  },
  "(b) a clean end without a finish": {
    answer: pieces(streamHead, hel),
    draft: "Hel",
    why: /^Test server broke off before the answer was complete$/,
  },
  "(c) a reset": {
    answer: async ({ write, reset }) => {
      await write(chunked, `${Buffer.byteLength(hel).toString(16)}\r\n${hel}\r\n`);
      reset();
    },
    // A reset can overtake what was written.
    draft: "",
    why: /^Test server cannot be reached, or the connection broke/,
  },
  "(d) half a tool call": { answer: pieces(streamHead, hel, half), draft: "Hel", why: /broke off/ },
  "(e) no event at all": { answer: pieces(streamHead), draft: "", why: /broke off/ },
};

/** A task whose first requests fail like this. */
async function taskOf({ answer }: Failing, times: number) {
  let n = 0;
  const server = await serve((exchange) => (n++ < times ? answer(exchange) : pieces(...hello)(exchange)));
  return { t: await taskWith({ model: modelAt(server.url) }), server };
}

const events = <T extends string>({ events }: TaskWith, type: T) => events.filter((e) => e.type === type);

it.each(Object.entries(failing))(
  "S05: %s is sent again, and what was shown is taken back",
  async (_, kind) => {
    const { t, server } = await taskOf(kind, 1);
    expect(await t.run("Go.")).toEqual({ end: "answered", work: { state: "none" } });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
    expect(events(t, "retrying")).toMatchObject([{ attempt: 2, why: expect.stringMatching(kind.why) }]);
    expect(events(t, "answer")).toEqual([{ type: "answer", text: "Hello" }]);
    expect(events(t, "call-started")).toEqual([]);
  },
);

it.each(Object.entries(failing))(
  "S05: %s for ever ends the task as failed, with the reason",
  async (_, kind) => {
    const { t, server } = await taskOf(kind, Number.POSITIVE_INFINITY);
    const outcome = await t.run("Go.");
    expect(outcome).toMatchObject({ end: "model_failed", retryable: true });
    expect(outcome.detail).toMatch(kind.why);
    expect(server.requests).toHaveLength(4);
    expect(events(t, "answer")).toEqual([]);
    expect(events(t, "proposal")).toEqual([]);
    const kept = t.record.entries.flatMap(({ body }) => (body.type === "retracted" ? [body] : []));
    if (kind.draft !== "")
      expect(kept).toEqual(Array(4).fill({ type: "retracted", text: kind.draft, reason: "failed" }));
    const said = t.record.entries.flatMap(({ body }) => (body.type === "message" ? [body.message.role] : []));
    expect(said).toEqual(["user"]);
  },
);
