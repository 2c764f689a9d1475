import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { FLAGS_OF_KEPT_CODE, keepCompiled, setLaterFlags } from './cli/runtime.js';
import { TOOL_TAGS } from './test/support/tools.ts';

// The workers inherit it: their threads and processes start with kept code, in half the time.
setLaterFlags();
keepCompiled();

/** Tests of the real program, of whose cases or random runs the suite tries a few. */
const OF_MORE_CASES = globSync('test/integration/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('/random-runs.ts'),
);

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
      // The tests with properties, of whose random runs the suite makes a tenth, and those of whose cases it tries a few.
      {
        extends: true,
        test: {
          name: 'random runs',
          include: ['test/{unit,contract}/**/*.test.ts', ...OF_MORE_CASES],
          setupFiles: ['./test/support/validated-answers.ts'],
          env: { TALLYHOOK_TEST_SHARE: '1' },
          isolate: false,
        },
      },
    ],
  },
});
