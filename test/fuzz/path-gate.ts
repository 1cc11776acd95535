// Fuzz target: paths of all kinds through every door of the path gate, while an attacker swaps a folder and a file with links to the
// outside (TH41). Nothing that lies outside, is protected or is no regular file may come in, and nothing may hang.
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openPathGate, type PathGate } from "../../src/workspace/path-gate.ts";
import { readHandle } from "../../src/workspace/read-handle.ts";
import { startSwapper } from "../helpers/swapper.ts";
import { type TestFolder, testFolder } from "../helpers/workspace.ts";
import { type Random, randomFrom } from "./random.ts";
import type { FuzzTarget } from "./target.ts";

/** In the content of every file, and in the name of one in every folder, that may not be seen. */
const canary = "OUTSIDE-7731";
/** So many doors are open at the same time. */
const atOnce = 16;
const hangMs = 20_000;

const contested = ["d/f", "g/f", "./d//f", "g/../d/f", "d/./f", "d/sub/f"] as const;
const splices = [
  "..",
  "/",
  "\\",
  "\0",
  ".",
  "~",
  "．",
  "／",
  "\u200b",
  "%2e",
  " ",
  "\n",
  "d/",
  "$HOME",
] as const;

function layOut(): TestFolder {
  const folder = testFolder();
  folder.write("d/f", "inside");
  folder.write("d/sub/f", "inside");
  folder.write("g/f", "inside");
  folder.write("../outside/f", canary);
  folder.write("../outside/sub/f", canary);
  folder.write(`../outside/${canary}`, canary);
  folder.write("../ws-evil/f", canary);
  for (const name of [".env", "g/.env", "g/server.key", "g/.git/config"]) folder.write(name, canary);
  symlinkSync(join(folder.base, "outside"), join(folder.ws, "link"));
  symlinkSync(".env", join(folder.ws, "g/linked"));
  execFileSync("mkfifo", [join(folder.ws, "pipe")]);
  return folder;
}

function pathsOf({ base, ws }: TestFolder): readonly [string, ...string[]] {
  return [
    ...(["../outside/f", "d/../../outside/f", "../ws-evil/f", "link/f", "link", "pipe", "pipe/f"] as const),
    ...[`${base}/outside/f`, `${ws}-evil/f`, `${ws}/d/f`, `${ws}/../outside/f`, "/proc/self/environ"],
    ...[".env", ".ENV", "．env", ".env ", ".env.", ".e\u200bnv", "g/.env", "g/linked", "g/server.KEY"],
    ...["g/.git/config", "g/.GIT/config", "d\\..\\..\\outside\\f", "~/x", "~root/x", "", ".", "..", "/"],
  ];
}

function mutated(path: string, random: Random): string {
  const at = random.number(path.length + 1);
  return path.slice(0, at) + random.pick(splices) + path.slice(at + random.number(2));
}

/** What came in through a door chosen at random: content, or the names in a folder; null when it was refused. */
async function enter(gate: PathGate, path: string, door: number): Promise<string | null> {
  if (door === 0) {
    const file = await gate.openFile(path);
    if (!file.ok) return null;
    try {
      return (await readHandle(file.value.handle, 100)).toString();
    } finally {
      await file.value.handle.close();
    }
  }
  if (door === 1) {
    const dir = await gate.openDir(path);
    if (!dir.ok) return null;
    try {
      const names = await readdir(dir.value.child("."));
      return names.join(" ");
    } finally {
      await dir.value.close();
    }
  }
  const read = await gate.readFile(path);
  return read.ok && read.value !== null ? read.value.bytes.toString() : null;
}

export const pathGateTarget: FuzzTarget = {
  name: "path-gate",
  async run(runs, seed) {
    const random = randomFrom(seed);
    const failures: string[] = [];
    const folder = layOut();
    const paths = pathsOf(folder);
    const gate = await openPathGate(folder.ws);
    const swapper = await startSwapper(folder.ws, join(folder.base, "outside"));
    const times: number[] = [];
    let entered = 0;
    let refused = 0;

    async function one(): Promise<void> {
      const known = random.oneIn(8) ? random.pick(paths) : random.pick(contested);
      const path = random.oneIn(16) ? mutated(known, random) : known;
      const door = random.number(3);
      const start = performance.now();
      const hang = setTimeout(() => failures.push(`${JSON.stringify(path)} hangs`), hangMs);
      try {
        const came = await enter(gate, path, door);
        if (came === null) refused++;
        else entered++;
        if (came?.includes(canary)) failures.push(`${JSON.stringify(path)} shows ${JSON.stringify(came)}`);
      } catch (error) {
        failures.push(`${JSON.stringify(path)} throws ${String(error)}`);
      } finally {
        clearTimeout(hang);
        times.push(performance.now() - start);
      }
    }

    try {
      for (let done = 0; done < runs; done += atOnce)
        await Promise.all(Array.from({ length: Math.min(atOnce, runs - done) }, one));
      if (!swapper.running()) failures.push("the attacker gave up");
      if (entered === 0) failures.push("nothing came in at all");
    } finally {
      await swapper.stop();
      await gate.close();
      folder.remove();
    }
    times.sort((a, b) => a - b);
    const maxMs = Math.round(times.at(-1) ?? 0);
    return { runs, failures, figures: { entered, refused, maxMs } };
  },
};
