import { setImmediate as nextTurn } from 'node:timers/promises';
import { daysFrom } from '../../../../domain/reconciling/business-day.ts';
import type { AmountLine, AmountOrder, ReconciliationArchive } from '../../../reconciliation.ts';
import type { Database } from '../../engine/database.ts';
import { guarded } from '../../engine/reading.ts';

type Row = Omit<AmountLine, 'amount' | 'statement' | 'row'> & Readonly<Record<'amount' | 'statement' | 'row', bigint>>;

/** Reads lines of some days by their amounts, a day at a time: no index has the amount. */
export function amountReads(database: Database): Pick<ReconciliationArchive, 'linesOfAmount'> {
  const ids = database
    .prepare<
      { day: string; kind: string; environment: string; currency: string; types: string; amounts: string },
      number
    >(`
      SELECT id FROM imported_lines
      WHERE account_id IN (SELECT id FROM accounts WHERE kind = @kind AND environment = @environment) AND date = @day
        AND amount_minor IN (SELECT CAST(value AS INTEGER) FROM json_each(@amounts)) AND currency = @currency
        AND type IN (SELECT value FROM json_each(@types))
      ORDER BY fingerprint, occurrence`)
    .pluck();
  const lineOf = database
    .prepare<[number], Row>(`
      SELECT l.date, l.amount_minor AS amount, l.statement_id AS statement, l.row,
        (SELECT m.reference FROM matches m WHERE m.line_id = l.id AND m.state = 'confirmed') AS matchedWith
      FROM statement_lines l WHERE l.id = ?`)
    .safeIntegers();
  const ofDay = guarded(database, (day: string, order: AmountOrder, most: number): AmountLine[] => {
    const { kind, environment, currency, types } = order;
    const amounts = JSON.stringify(order.amounts.map(String));
    const found = ids.all({ day, kind, environment, currency, types: JSON.stringify(types), amounts });
    return found.slice(0, most).flatMap((id) => {
      const row = lineOf.get(id);
      return row === undefined ? [] : [{ ...row, statement: Number(row.statement), row: Number(row.row) }];
    });
  });
  return {
    async linesOfAmount(order) {
      const found: AmountLine[] = [];
      for (const day of daysFrom(order.from, order.to)) {
        found.push(...ofDay(day, order, order.limit - found.length));
        if (found.length >= order.limit) break;
        await nextTurn();
      }
      return found;
    },
  };
}
