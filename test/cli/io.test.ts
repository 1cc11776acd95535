// Writing to whoever reads, and whether to colour it.
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { wantsColor, write } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";
import { readPipedText } from "../../src/cli/stdin.ts";
import { fakeIo } from "./fake-io.ts";

/** A stream whose every write fails with this code. */
function failing(code: string): Writable {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });
  return stream.on("error", () => {});
}

describe("write", () => {
  it("waits until a slow reader has taken the bytes", async () => {
    const taken: string[] = [];
    let release = (): void => {};
    const slow = new Writable({
      write: (chunk, _encoding, done) => {
        release = () => {
          taken.push(String(chunk));
          done();
        };
      },
    });
    const written = write(slow, "all of it").then(() => [...taken]);
    expect(taken).toEqual([]);
    release();
    expect(await written).toEqual(["all of it"]);
  });

  it.each(["EPIPE", "EIO"])("to a reader that has gone (%s) is no error", async (code) => {
    await expect(write(failing(code), "x")).resolves.toBeUndefined();
  });

  it("that fails otherwise rejects", async () => {
    await expect(write(failing("ENOSPC"), "x")).rejects.toMatchObject({ code: "ENOSPC" });
  });

  it("to a stream that was closed is no error, and the run keeps its exit code", async () => {
    const gone = new PassThrough().on("error", () => {});
    gone.destroy();
    await expect(write(gone, "x")).resolves.toBeUndefined();
    const { io } = fakeIo();
    expect(await run(["--help"], { ...io, stdout: gone })).toBe(0);
  });
});

describe("colour", () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [undefined, {}, false],
    [true, { TERM: "dumb" }, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [true, { FORCE_COLOR: "false" }, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("terminal %s, %j: %s", (isTTY, env, expected) => {
    const stream = Object.assign(new PassThrough(), isTTY === undefined ? {} : { isTTY });
    expect(wantsColor(stream, env)).toBe(expected);
  });
});

describe("piped text", () => {
  it("is not waited for where there is none: a terminal, a closed descriptor, a device", async () => {
    const { io } = fakeIo();
    const never = new PassThrough();
    expect(await readPipedText({ ...io, stdin: Object.assign(never, { fd: 0, isTTY: true }) })).toBe("");
    expect(await readPipedText({ ...io, stdin: Object.assign(new PassThrough(), { fd: -1 }) })).toBe("");
  });
});
