import { defineConfig } from 'vitest/config';
import { keepCompiled, STABLE_WASM_CALLS, setLaterFlags } from '../../../cli/runtime.js';

setLaterFlags();
keepCompiled();

/** For test/integration/left-processes.test.ts, which runs it in a process of its own. */
export default defineConfig({
  test: { execArgv: [STABLE_WASM_CALLS], dir: import.meta.dirname, tags: [{ name: 'script' }] },
});
