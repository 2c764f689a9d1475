import { defineConfig } from 'vitest/config';
import { STABLE_WASM_CALLS } from './cli/runtime.js';

export default defineConfig({
  test: {
    execArgv: [STABLE_WASM_CALLS],
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    setupFiles: ['./test/support/validated-answers.ts'],
    maxWorkers: 2,
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
