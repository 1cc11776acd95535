import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/fixtures/**", "test/**/*.e2e.ts"],
    setupFiles: ["test/setup.ts"],
    globalSetup: [],
    testTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
