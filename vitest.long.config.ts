import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { FLAGS_OF_KEPT_CODE, keepCompiled, setLaterFlags } from './cli/runtime.js';
import { RECORDING_WRITES } from './test/support/carried-twice/written.ts';
import { TOOL_TAGS } from './test/support/tools.ts';

// The workers inherit it: their threads and processes start with kept code, in half the time.
setLaterFlags();
keepCompiled();

/** Tests of the real program, of whose cases or random runs the suite tries a few. */
const OF_MORE_CASES = globSync('test/integration/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('/random-runs.ts'),
);

const ALL_RUNS = { TALLYHOOK_TEST_SHARE: '1' };

/** As the integration tests of the suite: Node imports the sources itself, and the check of the sandbox's answers hooks its imports. */
const NATIVE = {
  setupFiles: ['./test/support/validated-answers.ts'],
  experimental: { viteModuleRunner: false },
};

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
          ...NATIVE,
        },
      },
      // The tests with properties, of whose random runs the suite makes a tenth, and those of whose cases it tries a few.
      {
        extends: true,
        test: {
          name: 'random runs',
          include: ['test/unit/**/*.test.ts', ...OF_MORE_CASES],
          ...NATIVE,
          env: ALL_RUNS,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'random runs of the contract',
          include: ['test/contract/**/*.test.ts'],
          execArgv: [...FLAGS_OF_KEPT_CODE, RECORDING_WRITES],
          experimental: { viteModuleRunner: false },
          env: ALL_RUNS,
          isolate: false,
        },
      },
    ],
  },
});
