#!/usr/bin/env node
// Says so in one line when Node is too old, in syntax that old ones read; else starts the built program.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`MiniCode needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org`);
  process.exitCode = 1;
} else {
  import("../dist/main.mjs");
}
