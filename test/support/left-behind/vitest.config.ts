import { defineConfig } from 'vitest/config';
import { STABLE_WASM_CALLS } from '../../../cli/runtime.js';

/** For test/integration/left-processes.test.ts, which runs it in a process of its own. */
export default defineConfig({
  test: { execArgv: [STABLE_WASM_CALLS], dir: import.meta.dirname, tags: [{ name: 'script' }] },
});
