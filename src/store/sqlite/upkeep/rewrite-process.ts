import { failureOf } from '../../error.ts';
import { storeError } from '../engine/failure.ts';
import { rewrite } from './rewrite.ts';
import type { RewriteAnswer, RewriteSideOrder } from './rewrite-side-process.ts';

/** The side process that `rewriteInSideProcess` starts with the order as JSON: one engine call that cannot be interrupted. */
process.on('disconnect', () => process.exit(1));
// A signal to the whole process group also reaches the parent, which ends this process in order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
const order: RewriteSideOrder = JSON.parse(process.argv[2] ?? '');
process.send?.(answer(), () => process.exit(0));

function answer(): RewriteAnswer {
  try {
    return { result: rewrite(order.path, order) };
  } catch (error) {
    return { failure: failureOf(storeError(error, order.path)) };
  }
}
