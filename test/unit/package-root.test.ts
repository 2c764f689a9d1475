import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { STABLE_WASM_CALLS as OF_THE_LAUNCHER } from '../../cli/runtime.js';
import { KeptThread, STABLE_WASM_CALLS, sourceFile } from '../../src/package-root.ts';

test('the launcher, which cannot import it, has the same flag', () => {
  expect(OF_THE_LAUNCHER).toBe(STABLE_WASM_CALLS);
});

/** Opens a database on a thread; the engine's native code takes long to load, and says when it begins and when it could end. */
const LOADING = `
  import { parentPort } from 'node:worker_threads';
  const load = process.dlopen;
  process.dlopen = (...input) => {
    parentPort.postMessage('begun');
    for (const untilMs = performance.now() + 200; performance.now() < untilMs; );
    parentPort.postMessage('loaded');
    load.apply(process, input);
  };
  const { connect } = await import(${JSON.stringify(sourceFile('store/sqlite/engine/connection').href)});
  connect(':memory:');
  parentPort.on('message', () => {});
`;

test('a thread that does not stop in time is ended, but not while it loads the engine: that would abort the process', async () => {
  const said: string[] = [];
  const begun = Promise.withResolvers<void>();
  const thread = new KeptThread<{ type: string }, string>({
    name: 'loading thread',
    start: () => new Worker(new URL(`data:text/javascript,${encodeURIComponent(LOADING)}`)),
    receive(message) {
      said.push(message);
      begun.resolve();
    },
    log: pino({ level: 'silent' }),
  });
  await begun.promise;
  await thread.stop({ type: 'stop' }, 0, 'it did not end in time');
  expect(said).toEqual(['begun', 'loaded']);
});
