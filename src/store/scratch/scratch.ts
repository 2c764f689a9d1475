import SQLite, { type Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import type { OurRow } from '../../domain/matching/rows.ts';
import type { OurKind } from '../../domain/reconciling/rules.ts';
import type { LineType, StatementKind } from '../../domain/statements/lines.ts';
import { addedUp, exactSum } from '../exact-sum.ts';
import { batchReads } from './batches.ts';
import { type ChargeRow, chargeRows } from './charges.ts';
import type { Days, OpenedDays } from './days.ts';
import { knownMatches } from './known-matches.ts';
import { lateRows } from './late-rows.ts';
import { type LearntRow, learntRows } from './learnt-days.ts';
import { type LineSum, lineSums } from './line-sums.ts';
import { openRows } from './open-rows.ts';
import { paidLines } from './paid-lines.ts';
import { passes } from './passes.ts';
import { SCHEMA } from './schema.ts';
import { scratchError } from './scratch-error.ts';
import { retypeTakenBack } from './taken-back.ts';
import { type Unsettled, unsettledCollections } from './transit.ts';
import { triedRows } from './tried-rows.ts';

/*
 * What a run computes with: a database of its own, in a file that has no name and is gone with the process. It is the same
 * under every engine: the engine of the store only fills it.
 */

/** Where lines of a statement stand: in which leg, and for which rows of ours. */
export interface Role {
  readonly statement: StatementKind;
  readonly type: LineType;
  readonly environment: Environment;
  readonly currency: string;
  readonly leg: number;
  /** Null: a charge, of the row that has its reference, of any kind. */
  readonly kind: OurKind | null;
}

/** Two sides of one leg, in one environment and currency. */
export interface SideDays {
  readonly leg: number;
  readonly environment: Environment;
  readonly currency: string;
  readonly kinds: readonly OurKind[];
  /** It holds sales as they were asked for, without charges. */
  readonly isLedger: boolean;
  /** Days that statements cover. */
  readonly days: readonly string[];
}

/** A row of ours with the keys by which a line may name it. */
export interface KeyedRow extends Omit<OurRow, 'id'> {
  readonly sessionId: string | null;
}

/** A leg by its number of this run, in one environment and currency. */
interface SaidTax {
  readonly number: number;
  readonly environment: Environment;
  readonly currency: string;
}

/** The beginning of a day in the books of an account. */
interface BookDay {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly day: string;
}

export class Scratch {
  /** For the engine that fills it. */
  readonly database: Database;
  readonly passes: ReturnType<typeof passes>;
  readonly rows: ReturnType<typeof openRows>;
  readonly batches: ReturnType<typeof batchReads>;
  readonly matches: ReturnType<typeof knownMatches>;
  readonly paid: ReturnType<typeof paidLines>;
  readonly tried: ReturnType<typeof triedRows>;
  readonly late: ReturnType<typeof lateRows>;

  constructor() {
    try {
      this.database = new SQLite('');
      this.database.pragma('journal_mode = OFF');
      this.database.pragma('synchronous = OFF');
      this.database.pragma('cache_size = -65536');
      this.database.pragma('temp_store = FILE');
      this.database.exec(SCHEMA);
    } catch (error) {
      throw scratchError(error);
    }
    this.passes = passes(this.database);
    this.rows = openRows(this.database);
    this.batches = batchReads(this.database);
    this.matches = knownMatches(this.database);
    this.paid = paidLines(this.database);
    this.tried = triedRows(this.database);
    this.late = lateRows(this.database);
  }

  /** Types adjustments that take reversals back; once all lines are in, and before any is taken. */
  retypeTakenBack(): void {
    retypeTakenBack(this.database);
  }

  /** Says what is compared, before it is filled. Without days nothing is added up, and no group is clean. */
  setSides(roles: readonly Role[], sides: readonly SideDays[], days: OpenedDays | null): void {
    const period = this.database.prepare<OpenedDays>('INSERT INTO period VALUES (@from, @until, @begin, @first)');
    if (days !== null) period.run(days);
    const role = this.database.prepare<Role>(`
      INSERT INTO roles (statement, type, environment, currency, leg, kind)
      VALUES (@statement, @type, @environment, @currency, @leg, @kind)`);
    const side = this.database.prepare(`
      INSERT INTO sides (leg, environment, currency, kind, is_ledger) VALUES (@leg, @environment, @currency, @kind, @isLedger)`);
    const covered = this.database.prepare(`
      INSERT INTO covered (leg, environment, currency, day) VALUES (@leg, @environment, @currency, @day)`);
    for (const one of roles) role.run(one);
    for (const { kinds, days, isLedger, ...one } of sides) {
      for (const kind of kinds) side.run({ ...one, isLedger: Number(isLedger), kind });
      for (const day of days) covered.run({ ...one, day });
    }
  }

  /** Adds a row of ours, and returns its number. `postsOn`: where it counts, when it came late for a closed period. */
  keep(row: KeyedRow, postsOn: string | null = null): number {
    const { lastInsertRowid } = this.database
      .prepare(`
        INSERT INTO ours (kind, environment, currency, reference, status, record_id, amount, requested, fees, duty, reserved,
                          channel, start_day, day, is_day_learnt, direction, session_id, transaction_reference, changed_later, posts_on)
        VALUES (@kind, @environment, @currency, @reference, @status, @recordId, @amount, @requested, @fees, @duty, @reserved,
                @channel, @startDay, @day, @isDayLearnt, @direction, @sessionId, @transactionReference, 0, @postsOn)`)
      .run({ ...row, isDayLearnt: Number(row.isDayLearnt), postsOn });
    return Number(lastInsertRowid);
  }

  /** Records that changed after the as-at time: what the engine put in is not what was known then. */
  changedLater(kind: OurKind): number[] {
    return this.database
      .prepare<[OurKind], number>('SELECT record_id FROM ours WHERE kind = ? AND changed_later = 1 ORDER BY record_id')
      .pluck()
      .all(kind);
  }

  /** No line is looked for by what the row shares with another one. */
  dropKeys(kind: OurKind, recordId: number): void {
    this.database.prepare('UPDATE ours SET session_id = NULL WHERE kind = ? AND record_id = ?').run(kind, recordId);
  }

  forget(kind: OurKind, recordId: number): void {
    this.database.prepare<[OurKind, number]>('DELETE FROM ours WHERE kind = ? AND record_id = ?').run(kind, recordId);
  }

  /** Records of a day that no line names. */
  unnamedOn(of: { kind: OurKind; environment: Environment; currency: string; day: string }): number[] {
    return this.database
      .prepare<[object], number>(`
        WITH names AS MATERIALIZED (
          SELECT reference AS name FROM theirs WHERE environment = @environment AND reference IS NOT NULL
          UNION SELECT session_id FROM theirs WHERE environment = @environment AND session_id IS NOT NULL)
        SELECT record_id FROM ours WHERE kind = @kind AND environment = @environment AND currency = @currency
          AND (day = @day OR start_day = @day) AND record_id IS NOT NULL
          AND reference NOT IN (SELECT name FROM names) AND coalesce(session_id, '') NOT IN (SELECT name FROM names)
        ORDER BY record_id`)
      .pluck()
      .all({ kind: of.kind, environment: of.environment, currency: of.currency, day: of.day });
  }

  /** Gives a record other days. */
  place(kind: OurKind, recordId: number, days: { startDay: string; day: string }): void {
    this.database
      .prepare<[object]>(
        'UPDATE ours SET start_day = @startDay, day = @day WHERE kind = @kind AND record_id = @recordId',
      )
      .run({ ...days, kind, recordId });
  }

  /** All lines, added up; once the passes are finished. */
  lineSums(): Generator<LineSum> {
    return lineSums(this.database);
  }

  /** What lines moved that are printed before a day and are of it or a later one, less what lines of earlier days are printed on it or later. */
  printedBefore(book: BookDay): bigint {
    const row = this.database
      .prepare<[BookDay], Record<string, unknown>>(`
        SELECT ${exactSum('CASE WHEN printed < @day THEN amount ELSE -amount END', 'amount')} FROM theirs
        WHERE environment = @environment AND account = @account AND currency = @currency
          AND (printed < @day) <> (coalesce(own_date, date) < @day)`)
      .safeIntegers()
      .get(book);
    return row === undefined ? 0n : addedUp(row, 'amount');
  }

  /** Notes a line that its key took and that is a copy, or one of several that fit equally well: it confirms and charges nothing. */
  doubt(line: number): void {
    this.database.prepare<[number]>('INSERT OR IGNORE INTO doubtful (line) VALUES (?)').run(line);
  }

  /** Records of the period with what they were charged, in pages; `leg` is the one whose lines say it, null for none. */
  charges(days: Days, leg: number | null): Generator<ChargeRow[]> {
    return chargeRows(this.database, days, leg);
  }

  /** Collections up to a day that are in no batch with a line in the wallet or at the bank; `leg` is that of settlement lines. */
  unsettled(leg: number, days: { readonly from: string; readonly until: string }): Unsettled[] {
    return unsettledCollections(this.database, leg, days);
  }

  /** Whether some line of a leg tells tax apart from fees. */
  saysTax({ number, environment, currency }: SaidTax): boolean {
    const found = this.database
      .prepare<[number, string, string], number>(
        "SELECT 1 FROM theirs WHERE leg = ? AND environment = ? AND currency = ? AND (tax IS NOT NULL OR type = 'tax') LIMIT 1",
      )
      .pluck();
    return found.get(number, environment, currency) === 1;
  }

  /** Records that the date of their line in a leg places. */
  learnt(leg: number): LearntRow[] {
    return learntRows(this.database, leg);
  }

  close(): void {
    this.database.close();
  }
}
