// Where the bytes of an answer are cut has no effect on what it says; cut inside a character, a line end, the word "data:".
import { describe, expect, it } from "vitest";
import { streamParserTarget } from "../fuzz/stream-parser.ts";
import { event, streamHead } from "../helpers/raw-server.ts";
import { ask, delta } from "../model/ask.ts";

describe("TH99 any cut of the bytes", () => {
  it("one event, cut at every byte, each in a write of its own", async () => {
    const body = Buffer.from(
      [event(delta({ content: "caf\u00e9 中👩" })), event(delta({}, "stop"))]
        .join("")
        .replaceAll("\n", "\r\n"),
    );
    const pieces = Array.from(body, (_, i) => body.subarray(i, i + 1));
    expect((await ask([streamHead, ...pieces])).text).toBe("caf\u00e9 中👩");
  });

  it("2,000 answers in all three line ends", async () => {
    const { failures } = await streamParserTarget.run(2_000, 99);
    expect(failures).toEqual([]);
  });
});
