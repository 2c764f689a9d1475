import { expect, test } from 'vitest';
import { STABLE_WASM_CALLS as OF_THE_LAUNCHER } from '../../cli/runtime.js';
import { STABLE_WASM_CALLS } from '../../src/package-root.ts';

test('the launcher, which cannot import it, has the same flag', () => {
  expect(OF_THE_LAUNCHER).toBe(STABLE_WASM_CALLS);
});
