import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FLAGS_OF_KEPT_CODE, keepCompiled, setLaterFlags } from './cli/runtime.js';
import { RECORDING_WRITES } from './test/support/carried-twice/written.ts';
import { TOOL_TAGS } from './test/support/tools.ts';

// The workers inherit it: their threads and processes start with kept code, in half the time.
setLaterFlags();
keepCompiled();

export default defineConfig({
  test: {
    execArgv: FLAGS_OF_KEPT_CODE,
    // They end what hangs. A test that is slow on a busy machine is no failure.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: Math.ceil(1.5 * availableParallelism()), // a third of a test's time is waiting, for the disk and for programs
    globalSetup: './test/support/run-folder.ts',
    reporters: ['default', './test/support/closing-line.ts'],
    tags: TOOL_TAGS,
    projects: [
      // One process for many files saves a third of the time. No unit test starts a sandbox, so none needs the setup file.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          // Node imports the sources itself, with kept code, as the program does: a third less processor time before the first test.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          execArgv: [...FLAGS_OF_KEPT_CODE, RECORDING_WRITES],
          isolate: false,
          experimental: { viteModuleRunner: false },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/{conformance,integration}/**/*.test.ts'],
          globalSetup: './test/support/build-program.ts', // beside that of all projects
          setupFiles: ['./test/support/validated-answers.ts'],
          isolate: false,
          experimental: { viteModuleRunner: false }, // as for unit tests; validated-answers.ts hooks the imports of Node
        },
      },
    ],
  },
});
