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
    testTimeout: 6 * 3_600_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    reporters: ['verbose', './test/support/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          setupFiles: ['./test/support/validated-answers.ts'],
        },
      },
      // The tests with properties, of whose random runs the suite makes a tenth.
      {
        extends: true,
        test: {
          name: 'random runs',
          include: ['test/{unit,contract}/**/*.test.ts', 'test/integration/reconcile-closed-months.test.ts'],
          setupFiles: ['./test/support/validated-answers.ts'],
          env: { TALLYHOOK_TEST_SHARE: '1' },
          isolate: false,
        },
      },
    ],
  },
});
