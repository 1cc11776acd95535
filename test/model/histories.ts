// Random conversations for the adapters' property tests: as a session stores them, sound or with everything that can go wrong.
import fc from "fast-check";
import type { AssistantMessage, CallOutcome, Message, ToolCall } from "../../src/protocol/message.ts";

const outcomes: CallOutcome[] = [
  "ok",
  "error",
  "invalid",
  "denied",
  "rejected",
  "cancelled",
  "skipped",
  "timeout",
];
const blank = fc.constantFrom("", " ", "\n\t");
/** Any text but a blank one, in Unicode, with line ends and quotes. */
const words = fc
  .string({
    unit: fc.constantFrom("a", "é", "中", "👩", " ", "\n", '"', "\\", "\u2028"),
    minLength: 1,
    maxLength: 8,
  })
  .filter((text) => text.trim() !== "");
/** What was cut within a character. */
const torn = words.map((text) => `${text}\ud83d`);
const anyText = fc.oneof(words, words, blank, torn);

const soundArguments = fc
  .dictionary(fc.constantFrom("path", "text", "n"), fc.oneof(words, fc.integer(), fc.constant(null)), {
    maxKeys: 3,
  })
  .map((value) => JSON.stringify(value));
const anyArguments = fc.oneof(
  soundArguments,
  soundArguments,
  soundArguments.map((json) => JSON.stringify(json)),
  soundArguments.map((json) => json.slice(0, -1)),
  fc.constantFrom("", " ", "null", "[1]", "7", "{]", '{"a":"\\ud83d"}', '{"a":"\ud83d"}', "```json\n{}\n```"),
);
const soundName = fc.constantFrom("read_file", "apply_patch", "run-command", "x");
const anyName = fc.oneof(
  soundName,
  soundName,
  fc.constantFrom("", "functions.read file", "ä", "n".repeat(99)),
);
/** Few, so that they come again; one that we would give ourselves, and what servers refuse. */
const anyId = fc.constantFrom(
  "c1",
  "c2",
  "c3",
  "c4",
  "call00002",
  "call00003",
  "",
  "functions.read:0",
  "AbCd12345",
);

interface Step {
  text: string;
  reasoning: string | undefined;
  calls: { call: ToolCall; outcome: CallOutcome; result: string }[];
}

function stepOf(
  call: fc.Arbitrary<ToolCall>,
  text: fc.Arbitrary<string>,
  fewest: number,
): fc.Arbitrary<Step> {
  const called = fc.record({ call, outcome: fc.constantFrom(...outcomes), result: text });
  return fc.record({
    text: fewest === 0 ? text : fc.oneof(text, fc.constant("")),
    reasoning: fc.option(text, { nil: undefined }),
    calls: fc.array(called, { minLength: fewest, maxLength: 3 }),
  });
}

function messagesOf({ text, reasoning, calls }: Step): Message[] {
  const thought = reasoning === undefined ? {} : { reasoning };
  const answer: AssistantMessage = {
    role: "assistant",
    text,
    ...thought,
    calls: calls.map(({ call }) => call),
  };
  return [
    answer,
    ...calls.map(
      ({ call, outcome, result }): Message => ({ role: "tool", callId: call.id, outcome, content: result }),
    ),
  ];
}

/** Tasks of a user message, steps, and an answer; some end without one. */
function tasksOf(step: fc.Arbitrary<Step>, text: fc.Arbitrary<string>): fc.Arbitrary<Message[]> {
  const task = fc.record({
    user: text,
    steps: fc.array(step, { maxLength: 3 }),
    answer: fc.option(text, { nil: undefined }),
  });
  return fc
    .array(task, { minLength: 1, maxLength: 4 })
    .map((tasks) =>
      tasks.flatMap(({ user, steps, answer }): Message[] => [
        { role: "user", text: user },
        ...steps.flatMap(messagesOf),
        ...(answer === undefined ? [] : [{ role: "assistant" as const, text: answer, calls: [] }]),
      ]),
    );
}

const system: Message = { role: "system", text: "be brief" };

/** Whole ones, with ids that are never used twice: nothing of them may be lost. */
export const soundHistory: fc.Arbitrary<Message[]> = tasksOf(
  stepOf(fc.record({ id: fc.constant("?"), name: soundName, arguments: soundArguments }), words, 1),
  words,
).map((messages) => [system, ...withOwnIds(messages)]);

function withOwnIds(messages: readonly Message[]): Message[] {
  let called = 0;
  let answered = 0;
  return messages.map((message): Message => {
    if (message.role === "tool") return { ...message, callId: `id_${answered++}` };
    if (message.role !== "assistant") return message;
    return { ...message, calls: message.calls.map((call) => ({ ...call, id: `id_${called++}` })) };
  });
}

/**
 * Anything a crash, a model, a trimmed window or another program can leave: blank and torn texts, broken arguments, ids that are
 * missing or used twice, results that are missing, twice, in another order or without a call, and no beginning.
 */
export const brokenHistory: fc.Arbitrary<Message[]> = fc
  .record({
    head: fc.array(
      fc.oneof(
        fc.constant(system),
        blank.map((text): Message => ({ role: "system", text })),
      ),
      {
        maxLength: 2,
      },
    ),
    messages: tasksOf(
      stepOf(fc.record({ id: anyId, name: anyName, arguments: anyArguments }), anyText, 0),
      anyText,
    ),
    trimmed: fc.nat(4),
    lost: fc.array(fc.nat(30), { maxLength: 4 }),
    strays: fc.array(
      fc.record({
        at: fc.nat(30),
        message: fc.oneof(
          fc.record({
            role: fc.constant("tool" as const),
            callId: anyId,
            outcome: fc.constantFrom(...outcomes),
            content: anyText,
          }),
          fc.record({ role: fc.constant("system" as const), text: anyText }),
          fc.record({ role: fc.constant("user" as const), text: anyText }),
        ),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ head, messages, trimmed, lost, strays }) => {
    const left = messages.slice(trimmed).filter((_, at) => !lost.includes(at));
    for (const { at, message } of strays) left.splice(Math.min(at, left.length), 0, message);
    return [...head, ...left];
  });
