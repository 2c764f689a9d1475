import { once } from 'node:events';
import { quantile } from '../statistics.ts';
import type { Workplace } from '../workplace.ts';
import type { Load, LoadResult } from './load-result.ts';
import { hasWrk, wrkLoad } from './wrk.ts';

/** When the sender process sends its requests. */
export type SenderOrder =
  /** Each connection sends its next request when the last is answered, for `seconds`. */
  | { readonly kind: 'closed'; readonly seconds: number }
  /** Each request has a planned time, even when responses are late. Latency counts from that time. */
  | { readonly kind: 'steady'; readonly perSecond: number }
  /** As `closed`, until the whole file is sent. */
  | { readonly kind: 'all' };

export interface SenderTask extends Omit<Load, 'file'> {
  readonly path: string;
  readonly requests: number;
  readonly order: SenderOrder;
}

export interface SenderReport {
  readonly latenciesMs: readonly number[];
  readonly seconds: number;
  readonly failures: number;
  readonly repeated: number;
  readonly tenths: readonly number[];
}

/** Sends as fast as responses come: with wrk where it is installed, else with sender.ts. */
export function closedLoad(workplace: Workplace, load: Load, seconds: number): Promise<LoadResult> {
  return hasWrk() ? wrkLoad(workplace, load, seconds) : senderLoad(workplace, load, { kind: 'closed', seconds });
}

/** Runs sender.ts in a process of its own. */
export async function senderLoad(workplace: Workplace, load: Load, order: SenderOrder): Promise<LoadResult> {
  const child = workplace.spawn(process.execPath, [new URL('./sender.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const { port, connections, file } = load;
  child.send({ port, connections, path: file.path, requests: file.requests, order } satisfies SenderTask);
  const answered = once(child, 'message') as Promise<[SenderReport | { error: string }]>;
  const ended = once(child, 'exit').then(([code]) => [{ error: `the load generator ended with code ${code}` }]);
  const [report] = (await Promise.race([answered, ended])) as [SenderReport | { error: string }];
  if ('error' in report) throw new Error(report.error);
  const { latenciesMs, ...rest } = report;
  const sorted = Float64Array.from(latenciesMs).sort();
  const [p50Ms, p99Ms] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  return { ...rest, requests: sorted.length, p50Ms, p99Ms, maxMs: sorted.at(-1) ?? Number.NaN };
}
