import type { Environment } from '../../../domain/environment.ts';
import type { RefusedSpan } from '../../../domain/refusals/refused-span.ts';
import type { Page } from '../../records.ts';
import type { KeptSpan, RefusedArchive, RefusedFilter } from '../../refused.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { oneOf, wordsParameter } from '../rows/one-of.ts';
import { RECEIVERS, type ReceiverRow, receiverFromRow } from './system-state.ts';

export type SpanRow = Omit<KeptSpan, 'environments'> & { readonly environments: string };

/** SELECT of spans of refused requests. */
export const REFUSED_SPANS = `
  SELECT id, likeness, reason, path, environments, count, first_at AS firstAtMs, last_at AS lastAtMs, last_path AS lastPath
  FROM refused_spans`;

/** Reads when requests were refused, and when processes received: tables of bounded size, read whole. */
export function refusedReads(database: Database): RefusedArchive {
  const matching = `
    (@sinceMs IS NULL OR last_at >= @sinceMs) AND (@untilMs IS NULL OR first_at < @untilMs)
    AND ${oneOf('reason', 'reasons')} AND ${oneOf('likeness', 'likenesses')}`;
  type Wanted = ReturnType<typeof parametersOf>;
  const paged = (order: 'ASC' | 'DESC', beyond: '>' | '<') =>
    database.prepare<Wanted & { afterId: number | null; limit: number }, SpanRow>(
      `${REFUSED_SPANS} WHERE ${matching} AND (@afterId IS NULL OR id ${beyond} @afterId) ORDER BY id ${order} LIMIT @limit`,
    );
  const pages = { newest: paged('DESC', '<'), oldest: paged('ASC', '>') };
  const counting = database.prepare<Wanted, number>(`SELECT count(*) FROM refused_spans WHERE ${matching}`).pluck();
  const receivers = database.prepare<[], ReceiverRow>(`${RECEIVERS} ORDER BY id`);
  const page = guarded(database, (filter: RefusedFilter, { order, limit, afterId }: Page): KeptSpan[] =>
    pages[order]
      .all({ ...parametersOf(filter), afterId: afterId ?? null, limit: Math.min(limit, Number.MAX_SAFE_INTEGER) })
      .map((row) => ({ ...row, ...spanOf(row) })),
  );
  const count = guarded(database, (filter: RefusedFilter) => counting.get(parametersOf(filter)) ?? 0);
  const times = guarded(database, () => receivers.all().map(receiverFromRow));
  return {
    refusedSpans: async (filter, where) => page(filter, where),
    countRefusedSpans: async (filter) => count(filter),
    receiverTimes: async () => times(),
  };
}

export function spanOf({ environments, ...row }: SpanRow): RefusedSpan {
  return { ...row, environments: environments.split(',').filter((one) => one !== '') as Environment[] };
}

function parametersOf({ sinceMs, untilMs, reasons, likenesses }: RefusedFilter) {
  return {
    sinceMs: sinceMs ?? null,
    untilMs: untilMs ?? null,
    reasons: wordsParameter(reasons),
    likenesses: wordsParameter(likenesses),
  };
}
