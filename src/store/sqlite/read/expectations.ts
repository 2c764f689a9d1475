import { review } from '../../../domain/expectations/expectation.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Page } from '../../records.ts';
import type { ExpectationArchive, ExpectationFilter, ExpectationSummary } from '../../tracking.ts';
import type { Database } from '../engine/database.ts';
import { guarded } from '../engine/reading.ts';
import { type ExpectationRow, expectationFromRow, expectedRecords, knownFromRow } from '../rows/expectations.ts';
import { countRows, type IdRange, scan } from './scan.ts';

/** Most expectations compared with their records to count them: 0.3 s. */
const MOST_COUNTED = 20_000;

interface TrackedRow extends ExpectationRow {
  readonly id: bigint;
  readonly kind: RecordKind;
  readonly record_id: bigint;
  readonly tracked_at: bigint;
}

/** Reads expectations, each compared with what is known of its record now. */
export function expectationReads(database: Database, clock: Clock): ExpectationArchive {
  const rowsIn = (direction: 'ASC' | 'DESC') =>
    database
      .prepare<[number, number], TrackedRow>(`SELECT * FROM tracked WHERE id BETWEEN ? AND ? ORDER BY id ${direction}`)
      .safeIntegers();
  const rows = { newest: rowsIn('DESC'), oldest: rowsIn('ASC') };
  const lastId = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM tracked').pluck();
  const records = expectedRecords(database);

  function summaryOf(row: TrackedRow, nowMs: number): ExpectationSummary | null {
    const { kind } = row;
    const record = records[kind].get(Number(row.record_id));
    if (record === undefined) return null;
    const expected = expectationFromRow(row);
    const { environment, reference, reported, confirmed } = record;
    const { state, findings } = review({ kind, expected, known: knownFromRow(kind, record), nowMs });
    const facts = { id: Number(row.id), kind, environment, reference, trackedAtMs: Number(row.tracked_at) };
    return { ...facts, ...expected, state, findings, reported, confirmed };
  }

  const last = guarded(database, () => lastId.get() ?? 0);
  const reading = (filter: ExpectationFilter, order: Page['order']) => {
    const nowMs = clock.nowMs();
    return guarded(database, ({ first, last }: IdRange, limit: number) => {
      const found: ExpectationSummary[] = [];
      for (const row of rows[order].iterate(first, last)) {
        if (found.length === limit) break;
        if (filter.kind !== undefined && filter.kind !== row.kind) continue;
        const summary = summaryOf(row, nowMs);
        if (summary !== null && matches(summary, filter)) found.push(summary);
      }
      return found;
    });
  };
  return {
    expectations: async (filter, page) => scan({ first: 1, last: last() }, page, reading(filter, page.order)),

    async countExpectations(filter) {
      const read = reading(filter, 'oldest');
      const countIn = (range: IdRange) => read(range, Number.POSITIVE_INFINITY).length;
      return countRows({ first: 1, last: last() }, countIn, MOST_COUNTED);
    },
  };
}

function matches({ environment, reference, state }: ExpectationSummary, filter: ExpectationFilter): boolean {
  if (filter.environment !== undefined && filter.environment !== environment) return false;
  if (filter.reference !== undefined && filter.reference !== reference) return false;
  return filter.open !== true || state !== 'met';
}
