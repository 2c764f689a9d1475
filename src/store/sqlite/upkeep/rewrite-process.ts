import { rewrite } from './rewrite.ts';
import type { RewriteSideOrder } from './rewrite-side-process.ts';
import { answerOrder } from './side-process.ts';

/** The side process that `rewriteInSideProcess` starts. */
answerOrder((order: RewriteSideOrder) => rewrite(order.path, order));
