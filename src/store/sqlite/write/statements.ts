import type { Account, StatementTotals } from '../../../domain/statement.ts';
import { type ImportRefusal, importRefusal } from '../../../domain/statement-import.ts';
import type { Timed } from '../../../time/clock.ts';
import { StoreError } from '../../error.ts';
import {
  type Begun,
  type ImportOrder,
  type KeptCount,
  type KeptRows,
  MOST_ROWS_KEPT,
  type Removed,
  type StatementState,
} from '../../statements.ts';
import { type Database, writing } from '../engine/database.ts';
import { type AccountRow, accountWrites } from './accounts.ts';
import { statementClearing } from './statement-clearing.ts';
import { statementLineWrites } from './statement-lines.ts';
import { statementNames } from './statement-names.ts';
import { statementTotalWrites } from './statement-totals.ts';

interface StateRow {
  readonly id: number;
  readonly accountId: number;
  readonly state: StatementState;
}

/** Writes statements; on disk when a method returns. Each call is one short transaction. */
export function statementWrites(database: Database) {
  const rows = statementLineWrites(database);
  const clearRows = statementClearing(database);
  const names = statementNames(database);
  const accounts = accountWrites(database);
  const show = statementTotalWrites(database);
  const insert = database
    .prepare<Record<string, unknown>, number>(`
      INSERT INTO imported_statements
        (account_id, kind, environment, state, profile_id, file, file_sha256, file_bytes, begun_at)
      VALUES (@accountId, @kind, @environment, 'importing', @profileId, @name, @sha256, @bytes, @nowMs) RETURNING id`)
    .pluck();
  const count = database.prepare<{ statement: number; lines: number; fresh: number; unparsed: number }>(`
    UPDATE imported_statements SET lines = lines + @lines, new_lines = new_lines + @fresh, unparsed = unparsed + @unparsed
    WHERE id = @statement`);
  const stateOf = database.prepare<[number], StateRow>(
    'SELECT id, account_id AS accountId, state FROM imported_statements WHERE id = ?',
  );
  const leftover = database.prepare<[number], StateRow>(`
    SELECT id, account_id AS accountId, state FROM imported_statements
    WHERE account_id = ? AND state IN ('abandoned', 'removing') ORDER BY id LIMIT 1`);
  const setState = database.prepare<[StatementState, number]>('UPDATE imported_statements SET state = ? WHERE id = ?');
  const takeOut = database.prepare<[number, number]>(
    "UPDATE imported_statements SET state = 'removing', removed_at = ? WHERE id = ?",
  );
  const drop = database.prepare<[number]>('DELETE FROM imported_statements WHERE id = ?');

  /** Clears a piece of a statement that shows no more, and at the end its entry when it never showed. */
  function clear({ id, accountId, state }: StateRow, nowMs: number): Removed {
    const cleared = clearRows(id, nowMs);
    if (!cleared.done) return cleared;
    if (state === 'removing') setState.run('removed', id);
    else {
      drop.run(id);
      names.dropUnusedProfiles();
      accounts.dropUnused(accountId);
    }
    return cleared;
  }

  function giveUp(statement: number): void {
    setState.run('abandoned', statement);
    accounts.free(statement);
  }

  function refusal({ account, profile, file }: ImportOrder, nowMs: number): ImportRefusal | null {
    const known = accounts.ofName(account.name);
    const underWay = known === undefined ? null : accounts.underWay(known, nowMs);
    const isBound = known !== undefined && (underWay !== null || names.shows(known.id));
    return importRefusal(account, profile.digest, {
      account: isBound ? plain(known) : null,
      profile: names.profile(profile.name, nowMs),
      statementOfFile: known === undefined ? null : names.statementOfFile(known.id, file.sha256),
      underWay,
    });
  }

  return {
    begin: writing(database, ({ nowMs, ...order }: ImportOrder & Timed): Begun => {
      const before = accounts.ofName(order.account.name);
      if (before?.importing != null && accounts.underWay(before, nowMs) === null) giveUp(before.importing);
      const refused = refusal(order, nowMs);
      if (refused !== null) return refused;
      const old = before === undefined ? undefined : leftover.get(before.id);
      if (old !== undefined) {
        clear(old, nowMs);
        return { outcome: 'clearing' };
      }
      const accountId = accounts.know(order.account);
      const profileId = names.knowProfile(order.profile, nowMs);
      const { kind, environment } = order.account;
      const statement = insert.get({ ...order.file, kind, environment, accountId, profileId, nowMs }) as number;
      accounts.lease(accountId, statement, nowMs);
      return { outcome: 'begun', statement };
    }),

    keep: writing(database, ({ statement, lines, unparsed, nowMs }: KeptRows & Timed): KeptCount => {
      const given = lines.length + unparsed.length;
      if (given > MOST_ROWS_KEPT) throw new StoreError('other', `${given} rows are more than ${MOST_ROWS_KEPT}.`);
      const accountId = accounts.renew(statement, nowMs);
      const fresh = lines.filter((line) => rows.keep(accountId, statement, line)).length;
      for (const row of unparsed) rows.keepUnparsed(statement, row);
      count.run({ statement, lines: lines.length, fresh, unparsed: unparsed.length });
      return { new: fresh, known: lines.length - fresh };
    }),

    finish: writing(database, (order: { statement: number; totals: StatementTotals } & Timed): void => {
      accounts.renew(order.statement, order.nowMs);
      show(order);
      accounts.free(order.statement);
    }),

    abandon: writing(database, ({ statement, nowMs }: { statement: number } & Timed): { done: boolean } => {
      const found = stateOf.get(statement);
      if (found?.state === 'importing') giveUp(statement);
      else if (found?.state !== 'abandoned') return { done: true };
      return { done: clear({ ...found, state: 'abandoned' }, nowMs).done };
    }),

    remove: writing(database, ({ statement, nowMs }: { statement: number } & Timed): Removed | null => {
      const found = stateOf.get(statement);
      if (found?.state === 'imported') takeOut.run(nowMs, statement);
      else if (found?.state !== 'removing') return null;
      return clear({ ...found, state: 'removing' }, nowMs);
    }),

    previewBegin: ({ nowMs, ...order }: ImportOrder & Timed): ImportRefusal | { outcome: 'new' } =>
      refusal(order, nowMs) ?? { outcome: 'new' },

    previewKeep: ({ account, lines }: Pick<KeptRows, 'lines' | 'unparsed'> & { account: Account }): KeptCount => {
      const known = accounts.ofName(account.name);
      return known === undefined ? { new: lines.length, known: 0 } : rows.preview(known.id, lines);
    },
  };
}

function plain({ name, kind, environment }: AccountRow): Account {
  return { name, kind, environment };
}
