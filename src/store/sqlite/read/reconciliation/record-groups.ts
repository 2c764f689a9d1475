import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Environment } from '../../../../domain/environment.ts';
import { perKind, type RecordKind } from '../../../../domain/records/lifecycle.ts';
import { addedUp, type ExactSum, exactSum } from '../../../exact-sum.ts';
import type { GroupOrder, ReconciliationArchive, RecordGroup } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { guarded } from '../../engine/reading.ts';
import { countedAmount } from '../../rows/counted-amount.ts';
import { effectiveText } from '../../rows/effective-time.ts';
import type { IdRange } from '../scan.ts';
import { inPeriod, OF_ENVIRONMENT, type PeriodParameters, periodParameters, WINDOW } from './fragments.ts';

/** Integers are bigint: a sum may need more than 64 bits, so it is taken in two parts. */
interface GroupRow extends ExactSum<'total'> {
  readonly environment: Environment;
  readonly reported: string | null;
  readonly confirmed: string | null;
  readonly currency: string | null;
  readonly part: string | null;
  readonly records: bigint;
  readonly amounts: bigint;
}

/** Digits of `effectiveText` up to the hour and the minute. */
const DIGITS = { hour: 13, minute: 16 } as const;

/**
 * Counts and adds up records. In windows of ids: groups of few rows are sorted in the processor's cache, which is faster than
 * one statement, and no statement is long.
 */
export function recordGroupReads(database: Database): ReconciliationArchive['recordGroups'] {
  const statements = perKind((kind) => groupStatements(database, kind));

  return async (kind, order) => {
    const { lastId, by } = statements[kind];
    const parameters = periodParameters(order);
    const read = guarded(database, (range: IdRange) => by[order.by].all({ ...parameters, ...range }));
    const sums = new Map<string, RecordGroup>();
    for (let first = 1; first <= (lastId.get() ?? 0); first += WINDOW) {
      for (const row of read({ first, last: first + WINDOW - 1 })) addTo(sums, groupOf(kind, row, order.by));
      await nextTurn();
    }
    return [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
  };
}

function groupStatements(database: Database, kind: RecordKind) {
  const prepare = (part: string) =>
    database.prepare<PeriodParameters & IdRange, GroupRow>(groupSql(kind, part)).safeIntegers();
  const time = (digits: number) => prepare(`substr(${effectiveText(kind)}, 1, ${digits})`);
  return {
    lastId: database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${kind}s`).pluck(),
    by: {
      status: prepare('NULL'),
      channel: prepare(kind === 'collection' ? 'r.channel' : 'NULL'),
      hour: time(DIGITS.hour),
      minute: time(DIGITS.minute),
    },
  };
}

function groupSql(kind: RecordKind, part: string): string {
  const { minor, currency } = countedAmount(kind);
  const seen = `(r.reported IS NOT NULL OR r.confirmed IS NOT NULL
    OR EXISTS (SELECT 1 FROM observations o WHERE o.kind = '${kind}' AND o.record_id = r.id))`;
  return `
    SELECT r.environment, r.reported, r.confirmed, ${currency} AS currency, ${part} AS part, count(*) AS records,
           count(${minor}) AS amounts, ${exactSum(minor, 'total')}
    FROM ${kind}s r NOT INDEXED
    WHERE r.id BETWEEN @first AND @last AND ${OF_ENVIRONMENT} AND r.changed_at <= @asAtMs
      AND ${inPeriod(kind)} AND ${seen}
    GROUP BY 1, 2, 3, 4, 5`;
}

function groupOf(kind: RecordKind, row: GroupRow, by: GroupOrder['by']): RecordGroup {
  const { environment, reported, confirmed, currency, part, records, amounts } = row;
  return {
    kind,
    environment,
    reported,
    confirmed,
    currency,
    channel: by === 'channel' ? part : null,
    startMs: by === 'hour' || by === 'minute' ? Date.parse(`${part}${by === 'hour' ? ':00' : ''}:00Z`) : null,
    records: Number(records),
    withoutAmount: Number(records - amounts),
    minor: addedUp(row, 'total'),
  };
}

function addTo(sums: Map<string, RecordGroup>, one: RecordGroup): void {
  const { environment, reported, confirmed, currency, channel, startMs } = one;
  const name = JSON.stringify([environment, startMs, channel, confirmed, reported, currency]);
  const before = sums.get(name);
  if (before === undefined) sums.set(name, one);
  else {
    sums.set(name, {
      ...one,
      records: before.records + one.records,
      withoutAmount: before.withoutAmount + one.withoutAmount,
      minor: before.minor + one.minor,
    });
  }
}
