import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    execArgv: ['--wasm-wrapper-tiering-budget=2000000000'], // as cli/tallyhook.js sets it
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    setupFiles: ['./test/support/validated-answers.ts'],
    maxWorkers: 2,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
