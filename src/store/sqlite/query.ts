import { TallyhookError } from '../../domain/error.ts';
import type { QueryOrder, QueryResult } from '../archive.ts';
import { runInSideProcess } from './upkeep/side-process.ts';

export interface QuerySideOrder extends QueryOrder {
  /** The database. */
  readonly path: string;
}

/** A statement that is wrong is an answer, too. */
export type Queried =
  | { readonly result: QueryResult }
  | { readonly refused: { readonly message: string; readonly hint: string | undefined } };

/**
 * Runs one SELECT in a side process, which is ended at the time limit: until then a long read keeps the write-ahead log from
 * being emptied.
 *
 * @throws TallyhookError when the statement is wrong, or takes longer than `timeoutMs`
 */
export async function queryInSideProcess(order: QuerySideOrder, signal: AbortSignal): Promise<QueryResult> {
  const seconds = order.timeoutMs / 1_000;
  const cutShort = () =>
    signal.aborted
      ? 'The statement was ended.'
      : `The statement took longer than ${seconds} s and was ended; it gave nothing.`;
  const side = { module: 'store/sqlite/query-process', cutShort };
  const queried = await runInSideProcess<Queried>(side, order, signal);
  if ('result' in queried) return queried.result;
  const { message, hint } = queried.refused;
  throw new TallyhookError(message, { kind: 'usage', ...(hint !== undefined && { hint }) });
}
