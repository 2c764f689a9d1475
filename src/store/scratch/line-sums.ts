import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import type { LineType } from '../../domain/statements/lines.ts';
import { addedUp, exactSum } from '../exact-sum.ts';

/** Lines of one account, currency, type and day, added up. */
export interface LineSum {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  /** Null: the profile does not know the file's word. */
  readonly type: LineType | null;
  readonly date: string;
  /** Null: it stands in no leg, as it has no other side. */
  readonly leg: number | null;
  /** Each is the one line of a row of ours with which it agrees in everything; null: it is not, or no pass took it. */
  readonly clean: 'before our opening' | 'since our opening' | null;
  /** The day of their rows of ours, where it is another one; null: it is `date`. */
  readonly ourDay: string | null;
  readonly lines: number;
  readonly amount: bigint;
  /** Positive when charged. */
  readonly fee: bigint;
  readonly tax: bigint;
  readonly duty: bigint;
  /** What lies in the amounts of clean lines, because the file does not tell it apart. */
  readonly feeWithin: bigint;
  readonly dutyWithin: bigint;
}

/** Lines of one statement. Groups of so few rows are sorted in the processor's cache, which is faster than all at once. */
const WINDOW = 20_000;

/** One text sorts several times faster than seven columns. Only the last part may hold a blank. */
const NAME = `concat(t.date, ' ', t.type, ' ', c.clean, ' ', c.our_day, ' ', t.leg, ' ', t.currency, ' ', t.environment, ' ', t.account)`;

/** Adds up every line there is. A sum may come in several parts, in no order. */
export function* lineSums(database: Database): Generator<LineSum> {
  const addUp = database
    .prepare<{ first: number; last: number }, Record<string, unknown>>(`
      SELECT t.environment, t.account, t.currency, t.type, t.date, t.leg, c.clean, c.our_day, count(*) AS lines, ${exactSum('t.amount', 'amount')},
             ${exactSum('coalesce(t.fee, 0)', 'fee')}, ${exactSum('coalesce(t.tax, 0)', 'tax')},
             ${exactSum('coalesce(t.duty, 0)', 'duty')}, ${exactSum('coalesce(c.fees, 0)', 'fee_within')},
             ${exactSum('coalesce(c.duty, 0)', 'duty_within')}
      FROM theirs t LEFT JOIN taken c ON c.line = t.id AND c.clean <> 0
      WHERE t.id BETWEEN @first AND @last GROUP BY ${NAME}`)
    .safeIntegers();
  const { start, end } = database
    .prepare<[], { start: number | null; end: number | null }>(
      'SELECT (SELECT min(id) FROM theirs) AS start, (SELECT max(id) FROM theirs) AS end',
    )
    .get() ?? { start: null, end: null };
  if (start === null || end === null) return;
  for (let first = start; first <= end; first += WINDOW) {
    yield* addUp.all({ first, last: first + WINDOW - 1 }).map(lineSum);
  }
}

function lineSum(row: Record<string, unknown>): LineSum {
  return {
    environment: row.environment as Environment,
    account: row.account as string,
    currency: row.currency as string,
    type: row.type as LineType | null,
    date: row.date as string,
    leg: row.leg === null ? null : Number(row.leg),
    clean: row.clean === null ? null : row.clean === 2n ? 'since our opening' : 'before our opening',
    ourDay: row.our_day as string | null,
    lines: Number(row.lines),
    amount: addedUp(row, 'amount'),
    fee: addedUp(row, 'fee'),
    tax: addedUp(row, 'tax'),
    duty: addedUp(row, 'duty'),
    feeWithin: addedUp(row, 'fee_within'),
    dutyWithin: addedUp(row, 'duty_within'),
  };
}
