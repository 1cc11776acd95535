// Thinking within the text, what servers want back, ends without a reason, and errors in every place (cases S04, S05).
import { describe, expect, test } from "vitest";
import { event, head, streamHead } from "../helpers/raw-server.ts";
import { ask, askStream, callDelta, collect, delta, messageIn, modelAt, plainCompat, serve } from "./ask.ts";

const stop = delta({}, "stop");
const said = (...pieces: string[]): unknown[] => pieces.map((content) => delta({ content }));

describe("<think> at the beginning of the text", () => {
  test.each<[string, string[], string, string | undefined]>([
    ["in one piece", ["<think>hm</think>yes"], "yes", "hm"],
    ["letter by letter", [..."\n<think>\nhm < 3</think>\n\nyes"], "yes", "hm < 3"],
    ["empty", ["<think>\n\n</think>\n\nyes"], "yes", undefined],
    ["later, as a word", ["the tag <think>a</think>"], "the tag <think>a</think>", undefined],
    ["only begun", ["<thin", "g>"], "<thing>", undefined],
    [
      "not closed: it was the answer after all",
      ["<think>", "the ", "answer</thi"],
      "the answer</thi",
      undefined,
    ],
    ["twice", ["<think>a</think><think>b</think>c"], "<think>b</think>c", "a"],
    ["blanks only", [" \n"], " \n", undefined],
  ])("%s", async (_, pieces, text, reasoning) => {
    const outcome = await askStream([...said(...pieces), stop]);
    const { message } = messageIn(outcome);
    expect([message.text, message.reasoning]).toEqual([text, reasoning]);
    expect(outcome.text).toBe(text);
  });

  test("not closed and cut off, or before a call: it was no answer", async () => {
    const cut = await askStream([...said("<think>", "hm"), delta({}, "length")]);
    expect(messageIn(cut)).toMatchObject({ stop: "length", message: { text: "", reasoning: "hm" } });
    const call = callDelta({ index: 0, id: "c1", function: { name: "list" } });
    const called = await askStream([...said("<think>", "hm"), call, stop]);
    expect(messageIn(called)).toMatchObject({ stop: "calls", message: { text: "", reasoning: "hm" } });
  });

  test("beside thinking in a field of its own, which stays that", async () => {
    const outcome = await askStream([delta({ reasoning: "a" }), ...said("<think>b"), stop]);
    expect(messageIn(outcome).message).toMatchObject({ text: "b", reasoning: "a" });
  });
});

describe("text that begins within the thinking (thinkingOpen)", () => {
  test.each<[string, string[], string, string | undefined]>([
    ["in one piece", ["hm</think>\n\nyes"], "yes", "hm"],
    ["letter by letter", [..."hm < 3</think>\nyes"], "yes", "hm < 3"],
    ["with an opening tag all the same", ["<think>", "hm</think>yes"], "yes", "hm"],
    ["like a tag", ["<thi", "s></think>yes"], "yes", "<this>"],
    ["not closed: it was the answer after all", ["the ", "answer"], "the answer", undefined],
    ["only the beginning of a tag", ["<th"], "<th", undefined],
  ])("%s", async (_, pieces, text, reasoning) => {
    const outcome = await askStream([...said(...pieces), stop], {
      compat: { ...plainCompat, thinkingOpen: true },
    });
    const { message } = messageIn(outcome);
    expect([message.text, message.reasoning]).toEqual([text, reasoning]);
    expect(outcome.text).toBe(text);
  });
});

describe("what the server wants back is carried", () => {
  test("reasoning_details, their pieces put together by index, the signature with its text", async () => {
    const detail = (index: number, fields: object) => ({
      type: "reasoning.text",
      format: "f",
      index,
      ...fields,
    });
    const encrypted = { type: "reasoning.encrypted", data: "d", id: "r1", index: 1 };
    const outcome = await askStream([
      delta({ reasoning: "Let", reasoning_details: [detail(0, { text: "Let", signature: null })] }),
      delta({ reasoning: " me", reasoning_details: [detail(0, { text: " me" })] }),
      delta({ reasoning_details: [detail(0, { signature: "sig" })] }),
      delta({ reasoning_details: [encrypted] }),
      delta({ reasoning_details: [{ ...encrypted, data: "e" }] }),
      delta({ reasoning_details: [detail(1, { text: "x" })] }),
      delta({ content: "yes" }, "stop"),
    ]);
    expect(messageIn(outcome).message).toEqual({
      role: "assistant",
      text: "yes",
      reasoning: "Let mex",
      carried: {
        provider: "openai-compatible",
        model: "m-1",
        blocks: [
          {
            reasoning_details: [
              detail(0, { text: "Let me", signature: "sig" }),
              encrypted,
              { ...encrypted, data: "e" },
              detail(1, { text: "x" }),
            ],
          },
        ],
      },
      calls: [],
    });
  });

  test("what stands beside a call, by the call's place", async () => {
    const signature = { google: { thought_signature: "s" } };
    const outcome = await askStream([
      callDelta({ index: 0, id: "c1", function: { name: "list", arguments: "" } }),
      callDelta({ index: 1, id: "c2", extra_content: signature, function: { name: "list", arguments: "" } }),
      callDelta({ index: 1, function: { arguments: "{}" } }),
      stop,
    ]);
    expect(messageIn(outcome).message.carried?.blocks).toEqual([{ call: 1, extra_content: signature }]);
  });
});

describe("[DONE] without a finish reason", () => {
  const bare = [streamHead, ...said("Hel", "lo").map(event), event("[DONE]")];
  const half = event(callDelta({ index: 0, id: "c1", function: { name: "read", arguments: '{"pa' } }));

  async function answers(...replies: string[][]) {
    let n = 0;
    const server = await serve(async ({ write, end }) => {
      await write(...(replies[n++] ?? []));
      end();
    });
    const model = modelAt(server.url);
    const results: string[] = [];
    for (const _ of replies) {
      const outcome = await collect(model);
      results.push(outcome.error?.kind ?? messageIn(outcome).message.text);
    }
    return results;
  }

  test("is no end the first time, and the server's habit the second time", async () => {
    expect(await answers(bare, bare, bare)).toEqual(["incomplete", "Hello", "Hello"]);
  });

  test("is never one with half a call or with nothing", async () => {
    const cut = [streamHead, half, event("[DONE]")];
    expect(await answers(cut, cut, cut)).toEqual(["incomplete", "incomplete", "incomplete"]);
    const nothing = [streamHead, event("[DONE]")];
    expect(await answers(nothing, nothing)).toEqual(["incomplete", "incomplete"]);
  });

  test("is no habit of a server that gives reasons otherwise, or that just ends", async () => {
    const proper = [streamHead, event(delta({ content: "ok" }, "stop"))];
    expect(await answers(bare, proper, bare)).toEqual(["incomplete", "ok", "incomplete"]);
    const ended = [streamHead, ...said("Hel").map(event)];
    expect(await answers(bare, ended, bare, bare)).toEqual([
      "incomplete",
      "incomplete",
      "incomplete",
      "Hello",
    ]);
  });
});

describe("errors after 200", () => {
  test.each<[string, string[], object, string]>([
    [
      "a named event",
      ['event: error\ndata: {"message":"overloaded","code":529}\n\n'],
      { kind: "server" },
      "overloaded",
    ],
    [
      "a named event with an error in it",
      ['event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow"}}\n\n'],
      { kind: "rate_limit" },
      "slow",
    ],
    [
      "a named event in plain words",
      ["event: error\ndata: out of memory\n\n"],
      { kind: "server" },
      "out of memory",
    ],
    ["a field of that name", ['error: {"message":"no slot","code":503}\n\n'], { status: 503 }, "no slot"],
    ["in a choice", [event({ choices: [{ error: { message: "m", code: 502 } }] })], { status: 502 }, "m"],
    ["of a type", [event({ type: "error", message: "m" })], { kind: "server" }, "m"],
    ["in place of choices", [event({ detail: "bad grammar" })], { kind: "server" }, "bad grammar"],
    [
      "in MiniMax's form",
      [event({ choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } })],
      { kind: "payment" },
      "insufficient balance",
    ],
  ])("%s", async (_, pieces, expected, words) => {
    const outcome = await ask([streamHead, ...said("Hel").map(event), ...pieces, event("[DONE]")]);
    expect(outcome.text).toBe("Hel");
    expect(outcome.error).toMatchObject(expected);
    expect(outcome.error?.message).toContain(`reported an error: ${words}`);
  });

  test("no error where a field only has the name of one", async () => {
    const calm = { error: null, base_resp: { status_code: 0, status_msg: "" }, message: "x", choices: [] };
    const outcome = await askStream([
      calm,
      { error: "" },
      { type: "ping" },
      delta({ content: "ok" }, "stop"),
    ]);
    expect(outcome.error).toBeUndefined();
  });

  test("in a JSON body, also within a list", async () => {
    const error = { error: { message: "no credit", code: 402 } };
    for (const body of [error, [error]]) {
      const { error } = await ask([head(200), JSON.stringify(body)]);
      expect(error).toMatchObject({ kind: "payment", status: 402, retryable: false });
    }
  });

  test.each([
    ["a page", {}, "<!DOCTYPE html><title>Sign in</title>", /with a web page.*: Sign in/],
    [
      "a page called a stream",
      { "content-type": "text/event-stream" },
      "\n<html>Sign in",
      /web page.*Sign in/,
    ],
    [
      "plain words",
      { "content-type": "text/plain" },
      "Please sign in\n",
      /no model's answer: Please sign in/,
    ],
    ["half a JSON body", { "content-type": "application/json" }, '{"choices":[{"mess', /not JSON/],
  ])("%s", async (_, headers, body, words) => {
    const { error } = await ask([head(200, headers), body]);
    expect(error).toMatchObject({ kind: "invalid_response" });
    expect(error?.message).toMatch(words);
  });
});

test("a server that does not stream: one JSON answer", async () => {
  const server = await serve(async ({ write, end }) => {
    const message = {
      content: "hi",
      reasoning_content: "hm",
      tool_calls: [{ id: "c1", function: { name: "list", arguments: { path: "a" } } }],
    };
    await write(
      head(200, { "content-type": "application/json" }),
      JSON.stringify({
        choices: [{ message, finish_reason: "tool_calls" }],
        usage: { prompt_tokens: 4, completion_tokens: 2 },
      }),
    );
    end();
  });
  const outcome = await collect(modelAt(server.url, { compat: { ...plainCompat, streaming: false } }));
  expect(outcome.events.map(({ type }) => type)).toEqual(["reasoning", "text", "tool_call", "done"]);
  expect(messageIn(outcome)).toEqual({
    type: "done",
    message: {
      role: "assistant",
      text: "hi",
      reasoning: "hm",
      calls: [{ id: "c1", name: "list", arguments: '{"path":"a"}' }],
    },
    usage: { input: 4, output: 2 },
    stop: "calls",
  });
});
