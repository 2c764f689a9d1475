import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import type { Days } from './days.ts';

/** A record with what it was charged: by its lines where they say it, else by the record itself. Minor units. */
export interface ChargeRow {
  readonly environment: Environment;
  /** Null: no statement says it. */
  readonly account: string | null;
  readonly kind: RecordKind;
  readonly channel: string | null;
  readonly currency: string;
  readonly reference: string;
  /** `yyyy-MM-dd`: the rule of this day holds. */
  readonly day: string;
  /** Without direction, before what was charged. */
  readonly amount: bigint;
  /** Null: not said. */
  readonly fee: bigint | null;
  /** Null: not said, so `fee` may hold the tax as well, and the two are judged in one. */
  readonly tax: bigint | null;
  readonly duty: bigint | null;
  readonly line: { readonly statement: number; readonly row: number } | null;
}

const PAGE = 2_000;

/** A charge in a column, or in a line of its own. */
function charge(name: 'fee' | 'tax' | 'duty'): string {
  return `sum(CASE WHEN t.type = '${name}' THEN coalesce(t.${name}, 0) - t.amount ELSE t.${name} END)`;
}

/** The date of the line that places a row without a stated time. */
function placed(date: string): string {
  return `min(CASE WHEN o.is_day_learnt = 1 AND t.type = o.kind THEN ${date} END)`;
}

/** The charges of records that succeeded in the period, in pages; `leg` is the one whose lines say them, null for none. */
export function* chargeRows(database: Database, { from, until }: Days, leg: number | null): Generator<ChargeRow[]> {
  const page = database
    .prepare<Record<string, unknown>, Record<string, unknown>>(`
      SELECT o.id, o.environment, o.kind, o.channel, o.currency, o.reference, o.amount, o.fees, o.duty AS own_duty,
             coalesce(${placed('coalesce(t.own_date, t.date)')}, o.day) AS day,
             min(t.account) AS account, ${charge('fee')} AS fee, ${charge('tax')} AS tax, ${charge('duty')} AS duty,
             min(t.statement) AS statement, min(t.row) AS row
      FROM ours o LEFT JOIN taken c ON c.leg = @leg AND c.ours = o.id AND c.line NOT IN (SELECT line FROM doubtful) LEFT JOIN theirs t ON t.id = c.line
      WHERE o.id > @after AND o.record_id IS NOT NULL AND o.status IN ('success', 'completed') AND o.amount IS NOT NULL
        AND o.currency IS NOT NULL AND (coalesce(o.posts_on, o.day) BETWEEN @from AND @until OR o.is_day_learnt = 1)
      GROUP BY o.id HAVING coalesce(${placed('t.date')}, o.posts_on, o.day) BETWEEN @from AND @until
      ORDER BY o.id LIMIT ${PAGE}`)
    .safeIntegers();
  for (let after = 0; ; ) {
    const rows = page.all({ from, until, leg, after });
    yield rows.map(chargeRow);
    if (rows.length < PAGE) return;
    after = Number(rows.at(-1)?.id);
  }
}

function chargeRow(row: Record<string, unknown>): ChargeRow {
  const { environment, kind, channel, currency, reference, day, amount } = row as unknown as ChargeRow;
  const base = { environment, kind, channel, currency, reference, day, amount };
  const isSaid = row.fee !== null || row.tax !== null || row.duty !== null;
  const own = {
    account: null,
    fee: row.fees as bigint | null,
    tax: null,
    duty: row.own_duty as bigint | null,
    line: null,
  };
  if (!isSaid) return { ...base, ...own };
  return {
    ...base,
    account: row.account as string,
    fee: (row.fee as bigint | null) ?? (row.tax === null ? own.fee : null),
    tax: row.tax as bigint | null,
    duty: (row.duty as bigint | null) ?? own.duty,
    line: { statement: Number(row.statement), row: Number(row.row) },
  };
}
