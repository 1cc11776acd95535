// Everything that a run leaves behind is searched for a canary: screen, record, blobs, lock, errors of a server, the JSON output.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeIo } from "../cli/fake-io.ts";
import { head, startRawServer } from "../helpers/raw-server.ts";

const canary = "sk-canary-72-0123456789";

/** Names of the files below a folder that hold the canary in one of its forms. */
function holding(folder: string): string[] {
  const forms = [
    canary,
    Buffer.from(canary).toString("base64").slice(0, -4),
    Buffer.from(canary).toString("hex"),
  ];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() || entry.name === "script.json") return [];
    const text = readFileSync(join(entry.parentPath, entry.name), "latin1");
    return forms.some((form) => text.includes(form)) ? [join(entry.parentPath, entry.name)] : [];
  });
}

describe("TH72 a key in another sink", () => {
  it.each(["text", "json", "stream-json"])("no sink has it with --output-format %s", async (format) => {
    const f = fakeIo({ "leak.mjs": "console.error(new Error(process.argv[2]).stack); process.exit(1);\n" });
    f.io.env["CANARY_API_KEY"] = canary;
    await f.print(
      [
        { text: `thinking of ${canary}` },
        {
          calls: [
            { name: "read_file", arguments: { path: `${canary}.txt` } },
            { name: "search_text", arguments: { pattern: canary } },
            { name: "no_such_tool", arguments: { key: canary } },
            { name: "read_file", arguments: { [canary]: 1 } },
          ],
        },
        { text: `the key is ${canary}, in hex ${Buffer.from(canary).toString("hex")}` },
      ],
      "--output-format",
      format,
    );
    for (const text of [f.stdout(), f.stderr()]) expect(text).not.toContain(canary);
    expect(f.stdout()).not.toBe("");
    expect(holding(dirname(f.config))).toEqual([]);
    expect(holding(dirname(dirname(f.sessions)))).toEqual([]);
  });

  it("a server's error that repeats the key shows none of it", async () => {
    const server = await startRawServer(async ({ write, end, request }) => {
      await write(head(401, { "content-type": "application/json" }));
      await write(
        JSON.stringify({ error: { message: `bad key ${request.headers["authorization"]} ${canary}` } }),
      );
      end();
    });
    const f = fakeIo();
    Object.assign(f.io.env, {
      MINICODE_OPENAI_BASE_URL: server.url,
      MINICODE_OPENAI_MODEL: "m",
      OPENAI_API_KEY: canary,
    });
    try {
      const { run } = await import("../../src/cli/run.ts");
      const code = await run(["-p", "go", "--profile", "openai-compatible"], f.io);
      expect(code).not.toBe(0);
    } finally {
      await server.close();
    }
    expect(f.stdout() + f.stderr()).not.toContain(canary);
    expect(holding(dirname(dirname(f.sessions)))).toEqual([]);
  });
});
