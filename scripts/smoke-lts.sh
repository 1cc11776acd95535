#!/usr/bin/env bash
# Runs the built product on other Node lines than the one that built it: 22, 24 and the newest LTS. The npm packages
# node-linux-* bring the binaries; the package `node` would need an install script to do the same.
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$(node -p process.arch)
for line in ${NODE_LINES:-22 24 26}; do
  home=$(mktemp -d)
  npm install --prefix "$home" --no-audit --no-fund --ignore-scripts --silent "node-linux-$arch@$line"
  node_bin="$home/node_modules/node-linux-$arch/bin/node"
  "$node_bin" --version
  "$node_bin" bin/minicode.mjs --version
  "$node_bin" bin/minicode.mjs --demo --auto >"$home/demo.txt"
  grep -q "Verified: the required check passed" "$home/demo.txt"
  "$node_bin" bin/minicode.mjs verify | tail -1
  rm -rf "$home"
done
