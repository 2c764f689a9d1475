import type { StatementTotals } from '../../../domain/statements/statement.ts';
import type { Timed } from '../../../time/clock.ts';
import { StoreError } from '../../error.ts';
import type { Database } from '../engine/database.ts';

/** Writes what a statement says as a whole, with which it shows. The caller holds the transaction. */
export function statementTotalWrites(database: Database) {
  const countsOf = database.prepare<[number], Pick<StatementTotals, 'lines' | 'unparsed'>>(
    'SELECT lines, unparsed FROM imported_statements WHERE id = ?',
  );
  const show = database.prepare(`
    UPDATE imported_statements SET state = 'imported', imported_at = @nowMs, covers_from = @from, covers_to = @to, states_days = @statesDays
    WHERE id = @statement`);
  const balance = database.prepare(`
    INSERT INTO statement_balances (statement_id, currency, opening_minor, closing_minor, sum_minor)
    VALUES (@statement, @currency, @opening, @closing, @sum)`);
  const control = database.prepare(`
    INSERT INTO statement_controls (statement_id, number, control, currency, stated, computed, row, cell_row, cell_column)
    VALUES (@statement, @number, @control, @currency, @stated, @computed, @row, @cellRow, @cellColumn)`);

  return ({ statement, totals, nowMs }: { statement: number; totals: StatementTotals } & Timed): void => {
    const kept = countsOf.get(statement);
    if (kept?.lines !== totals.lines || kept.unparsed !== totals.unparsed) {
      const [said, seen] = [totals, kept].map((one) => `${one?.lines} lines and ${one?.unparsed} unreadable rows`);
      throw new StoreError('other', `Statement ${statement} has ${said}, and ${seen} were kept.`);
    }
    const { balances, controls, covers, statesDays } = totals;
    for (const one of balances) balance.run({ statement, ...one });
    for (const [number, { cell, ...one }] of controls.entries()) {
      control.run({ statement, number, ...one, cellRow: cell.row, cellColumn: cell.column });
    }
    show.run({ statement, nowMs, from: covers?.from ?? null, to: covers?.to ?? null, statesDays: Number(statesDays) });
  };
}
