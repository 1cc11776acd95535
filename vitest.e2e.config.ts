import { defineConfig } from "vitest/config";

// The built product in real processes and a real pseudo-terminal; `npm run e2e` builds first.
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.e2e.ts", "test/cases/**/*.e2e.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 240_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
