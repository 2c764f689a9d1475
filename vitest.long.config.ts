import { defineConfig } from 'vitest/config';
import { STABLE_WASM_CALLS } from './cli/runtime.js';

/** The hours-long proofs: permutations, kills, power cuts, mutants. Their figures stand in docs/reliability.md. */
export default defineConfig({
  test: {
    execArgv: [STABLE_WASM_CALLS],
    include: ['test/long/**/*.test.ts'],
    testTimeout: 6 * 3_600_000,
    hookTimeout: 60_000,
    setupFiles: ['./test/support/validated-answers.ts'],
    maxWorkers: 1,
    reporters: ['verbose', './test/support/closing-line.ts'],
  },
});
