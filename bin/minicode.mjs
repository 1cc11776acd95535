#!/usr/bin/env node
// Checks the Node version in syntax that any Node with ES modules reads, then starts the built program.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`MiniCode needs Node 20.19 or newer; this is ${process.version}. See https://nodejs.org`);
  process.exitCode = 1;
} else {
  await import("../dist/main.mjs");
}
