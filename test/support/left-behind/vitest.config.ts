import { defineConfig } from 'vitest/config';
import { FLAGS_OF_KEPT_CODE, keepCompiled, setLaterFlags } from '../../../cli/runtime.js';

setLaterFlags();
keepCompiled();

/** For test/integration/left-processes.test.ts, which runs it in a process of its own. */
export default defineConfig({
  test: {
    execArgv: FLAGS_OF_KEPT_CODE,
    dir: import.meta.dirname,
    tags: [{ name: 'script' }],
    // As in vitest.config.ts: a test that is slow on a busy machine is no failure.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
