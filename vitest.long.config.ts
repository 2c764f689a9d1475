import { defineConfig } from 'vitest/config';
import { FLAGS_OF_KEPT_CODE, keepCompiled, setLaterFlags } from './cli/runtime.js';
import { TOOL_TAGS } from './test/support/tools.ts';

// The workers inherit it: their threads and processes start with kept code, in half the time.
setLaterFlags();
keepCompiled();

/** The hours-long proofs: permutations, kills, power cuts, mutants. Their figures stand in docs/reliability.md. */
export default defineConfig({
  test: {
    tags: TOOL_TAGS,
    execArgv: FLAGS_OF_KEPT_CODE,
    include: ['test/long/**/*.test.ts'],
    testTimeout: 6 * 3_600_000,
    hookTimeout: 60_000,
    setupFiles: ['./test/support/validated-answers.ts'],
    maxWorkers: 1,
    reporters: ['verbose', './test/support/closing-line.ts'],
  },
});
