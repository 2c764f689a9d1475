import { TALLYHOOK } from '../../../domain/audit/entry.ts';
import type { Account, StatementTotals } from '../../../domain/statements/statement.ts';
import { type ImportRefusal, importRefusal } from '../../../domain/statements/statement-import.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ByPerson } from '../../audit.ts';
import type { Drawn } from '../../caller.ts';
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
import { askedRows } from './asked-rows.ts';
import type { Dated } from './books-time.ts';
import { closedDays, periodClosed } from './closed-days.ts';
import type { GuardedAudit } from './four-eyes.ts';
import { statementActs } from './statement-acts.ts';
import { statementClearing } from './statement-clearing.ts';
import { statementLineWrites } from './statement-lines.ts';
import { statementNames } from './statement-names.ts';
import { statementSealing } from './statement-sealing.ts';
import { statementTotalWrites } from './statement-totals.ts';

interface StateRow {
  readonly id: number;
  readonly accountId: number;
  readonly state: StatementState;
}

/** Writes statements; on disk when a method returns. Each call is one short transaction. */
export function statementWrites(database: Database, audit: GuardedAudit) {
  const asked = askedRows(database, audit);
  const rows = statementLineWrites(database);
  const clearRows = statementClearing(database);
  const names = statementNames(database);
  const accounts = accountWrites(database);
  const closed = closedDays(database);
  const show = statementTotalWrites(database);
  const sealing = statementSealing(database);
  const log = statementActs(database, audit);
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

  /** Clears a piece of a statement that shows no more, and at the end its row when it never showed. */
  function clear({ id, accountId, state }: StateRow, nowMs: number): Removed {
    const cleared = clearRows(id, nowMs);
    if (!cleared.done) return cleared;
    if (state === 'removing') log.cleared(id, nowMs, () => setState.run('removed', id));
    else {
      drop.run(id);
      names.dropUnusedProfiles();
      accounts.dropUnused(accountId);
    }
    return cleared;
  }

  function giveUp(statement: number): void {
    sealing.forget(statement);
    setState.run('abandoned', statement);
    accounts.free(statement);
  }

  function refusal({ account, profile, file }: ImportOrder, drawn: Drawn): ImportRefusal | null {
    const known = accounts.ofName(account.name);
    const underWay = known === undefined ? null : accounts.underWay(known, drawn);
    const isBound = known !== undefined && (underWay !== null || names.shows(known.id));
    return importRefusal(account, profile.digest, {
      account: isBound ? plain(known) : null,
      profile: names.profile(profile.name, drawn.nowMs),
      statementOfFile: known === undefined ? null : names.statementOfFile(known.id, file.sha256),
      underWay,
    });
  }

  const renew = writing(database, accounts.renew);

  /** False: the rows changed since they were read. */
  const finish = writing(
    database,
    (order: { statement: number; totals: StatementTotals } & ByPerson & Dated): boolean => {
      const { statement, nowMs, learntMs, by = TALLYHOOK } = order;
      accounts.renew(statement, nowMs);
      if (!sealing.isRead(statement)) return false;
      log.imported({ statement, by, nowMs }, () => {
        show({ ...order, nowMs: learntMs });
        accounts.free(statement);
        return sealing.digest(statement);
      });
      return true;
    },
  );

  const remove = writing(database, (order: { statement: number } & ByPerson & Dated) => {
    const { statement, nowMs, learntMs, by = TALLYHOOK } = order;
    const found = stateOf.get(statement);
    if (found?.state === 'removing') return clear(found, nowMs);
    if (found?.state !== 'imported') return null;
    const period = closed.ofStatement(statement);
    if (period !== null) throw periodClosed(`Statement ${statement} cannot be removed`, period);
    if (!sealing.isRead(statement)) return NOTHING_YET;
    audit.fourEyes.expect('statement.remove', { by, rows: asked.statement(statement), nowMs });
    const before = sealing.digest(statement);
    takeOut.run(learntMs, statement);
    const cleared = clearRows(statement, nowMs);
    if (cleared.done) setState.run('removed', statement);
    log.removed({ statement, by, nowMs }, before);
    return cleared;
  });

  return {
    begin: writing(database, (order: ImportOrder & ByPerson & Drawn): Begun => {
      const { nowMs, by = TALLYHOOK } = order;
      audit.expectEntry({ who: by, act: 'statement.import', nowMs });
      const before = accounts.ofName(order.account.name);
      if (before?.importing != null && accounts.underWay(before, order) === null) giveUp(before.importing);
      const refused = refusal(order, order);
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
      accounts.lease(accountId, statement, order);
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

    finish: (order: { statement: number; totals: StatementTotals } & ByPerson & Dated): { done: boolean } => {
      renew(order.statement, order.nowMs);
      return { done: sealing.advance(order.statement) && finish(order) };
    },

    abandon: writing(database, ({ statement, nowMs }: { statement: number } & Timed): { done: boolean } => {
      const found = stateOf.get(statement);
      if (found?.state === 'importing') giveUp(statement);
      else if (found?.state !== 'abandoned') return { done: true };
      return { done: clear({ ...found, state: 'abandoned' }, nowMs).done };
    }),

    remove: (order: { statement: number } & ByPerson & Dated): Removed | null => {
      const isShown = stateOf.get(order.statement)?.state === 'imported';
      return isShown && !sealing.advance(order.statement) ? NOTHING_YET : remove(order);
    },

    previewBegin: (order: ImportOrder & Drawn): ImportRefusal | { outcome: 'new' } =>
      refusal(order, order) ?? { outcome: 'new' },

    previewKeep: ({ account, lines }: Pick<KeptRows, 'lines' | 'unparsed'> & { account: Account }): KeptCount => {
      const known = accounts.ofName(account.name);
      return known === undefined ? { new: lines.length, known: 0 } : rows.preview(known.id, lines);
    },
  };
}

/** While the digest of a statement is being taken. */
const NOTHING_YET: Removed = { lines: 0, left: 0, matches: 0, done: false };

function plain({ name, kind, environment }: AccountRow): Account {
  return { name, kind, environment };
}
