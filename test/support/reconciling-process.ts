import type { FromApart } from '../../src/jobs/apart.ts';

/* The process of a job that computes run 7, for ever: it receives no message meanwhile. */

const post = (message: FromApart) => process.send?.(message);

process.once('message', () => {
  post({ type: 'run', run: 7 });
  post({ type: 'progress', done: 1, total: null });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
