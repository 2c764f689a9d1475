import type { Database } from 'better-sqlite3';
import type { Environment } from '../../domain/environment.ts';
import { compareLines, type OurRow, type TheirLine } from '../../domain/matching/rows.ts';
import type { OurKind } from '../../domain/reconciling/rules.ts';
import type { LineType } from '../../domain/statements/lines.ts';
import { IS_CHARGEBACK } from './schema.ts';

/** A row of ours with the lines that were taken for it. */
export interface OpenGroup {
  readonly row: OurRow;
  readonly lines: readonly TheirLine[];
}

/** A line that no row of ours has, with what it says of itself. */
export interface LooseLine extends Omit<TheirLine, 'type'> {
  readonly environment: Environment;
  /** Null: in no leg. */
  readonly leg: number | null;
  readonly kind: OurKind | null;
  readonly type: LineType | null;
  readonly typeText: string;
  readonly sessionId: string | null;
  readonly group: string | null;
}

/** Rows of one page. */
const PAGE = 2_000;

export const OURS = `o.id, o.kind, o.environment, o.currency, o.reference, o.status, o.record_id AS recordId, o.amount, o.requested, o.fees,
  o.duty, o.reserved, o.channel, o.start_day AS startDay, o.day, o.is_day_learnt AS isDayLearnt, o.direction,
  o.transaction_reference AS transactionReference`;
export const LINES = `t.id, t.account, t.environment, t.leg, t.kind, t.type, t.type_text AS typeText, t.currency, coalesce(t.own_date, t.date) AS date,
  CASE WHEN t.own_date IS NOT NULL THEN t.date END AS postsOn, t.amount,
  t.principal, t.fee, t.tax, t.duty, t.reference, t.session_id AS sessionId, t.transaction_reference AS transactionReference,
  t.group_name AS "group", t.statement, t.row, lower(hex(t.fingerprint)) AS fingerprint, t.occurrence`;

type Row = Readonly<Record<string, unknown>>;

/** Reads what is not settled by the sums of clean groups, in pages. */
export function openRows(database: Database) {
  const groupRows = () =>
    database
      .prepare<{ leg: number; after: number; limit: number }, Row>(`
        SELECT ${OURS} FROM (SELECT DISTINCT ours FROM taken INDEXED BY taken_unclean
            WHERE clean = 0 AND leg = @leg AND ours > @after ORDER BY ours LIMIT @limit) c
          JOIN ours o ON o.id = c.ours ORDER BY o.id`)
      .safeIntegers();
  const linesOf = () =>
    database
      .prepare<{ leg: number; rows: string }, Row>(`
        SELECT ${LINES}, c.pass, c.ours AS "of" FROM taken c JOIN theirs t ON t.id = c.line
        WHERE c.leg = @leg AND c.ours IN (SELECT value FROM json_each(@rows))`)
      .safeIntegers();
  const untaken = () =>
    database
      .prepare<{ leg: number; after: number; limit: number }, Row>(`
        SELECT ${OURS},
          EXISTS (SELECT 1 FROM covered d WHERE d.leg = @leg AND d.environment = o.environment AND d.currency = o.currency
                  AND d.day = CASE o.kind WHEN 'refund' THEN o.start_day ELSE o.day END)
          OR EXISTS (SELECT 1 FROM covered d WHERE d.leg = @leg AND d.environment = o.environment AND d.currency = o.currency
                  AND d.day = o.day) AS isCovered
        FROM ours o CROSS JOIN sides s ON s.leg = @leg AND s.environment = o.environment AND s.currency = o.currency AND s.kind = o.kind
        WHERE o.id > @after AND NOT EXISTS (SELECT 1 FROM taken c WHERE c.leg = @leg AND c.ours = o.id)
        ORDER BY o.id LIMIT @limit`)
      .safeIntegers();
  const loose = () =>
    database
      .prepare<{ after: number; limit: number; from: string; until: string }, Row>(`
        SELECT ${LINES} FROM theirs t
        WHERE t.id > @after AND (t.date BETWEEN @from AND @until OR (t.is_judged = 1 AND t.date < @from)) AND NOT EXISTS (SELECT 1 FROM taken c WHERE c.line = t.id)
          AND (t.leg IS NOT NULL OR t.type IS NULL OR t.type ${IS_CHARGEBACK} OR t.own_date IS NOT NULL)
        ORDER BY t.id LIMIT @limit`)
      .safeIntegers();

  return {
    /** Rows of ours that have lines and are not clean, each with its lines in the order of their days. */
    *groups(leg: number): Generator<OpenGroup> {
      const [rows, lines] = [groupRows(), linesOf()];
      for (const page of pages((after) => rows.all({ leg, after, limit: PAGE }))) {
        const own = page.map(ourRow);
        const found = lines.all({ leg, rows: JSON.stringify(own.map(({ id }) => id)) });
        const linesOfRow = Map.groupBy(found, (line) => Number(line.of));
        for (const row of own) {
          const theirs = (linesOfRow.get(row.id) ?? []).map(({ of: _of, ...line }) => theirLine(line));
          yield { row, lines: theirs.sort(compareLines) };
        }
      }
    },

    /** Rows of ours that no line names; `isCovered`: some statement shows their days. */
    *untaken(leg: number): Generator<{ readonly row: OurRow; readonly isCovered: boolean }> {
      const rows = untaken();
      for (const page of pages((after) => rows.all({ leg, after, limit: PAGE }))) {
        for (const row of page) yield { row: ourRow(row), isCovered: row.isCovered === 1n };
      }
    },

    /** Lines of these days, and of those before them that are to be judged, that no row of ours has, and whose type should have one; of those that came late, all. */
    *loose(days: { readonly from: string; readonly until: string }): Generator<LooseLine> {
      const rows = loose();
      for (const page of pages((after) => rows.all({ ...days, after, limit: PAGE }))) yield* page.map(looseLine);
    },

    /** The row of ours with this name; null: it is not there. */
    named(kind: OurKind, environment: Environment, reference: string): number | null {
      const id = database
        .prepare<[string, string, string], number>(
          'SELECT id FROM ours WHERE environment = ? AND reference = ? AND kind = ? ORDER BY currency LIMIT 1',
        )
        .pluck()
        .get(environment, reference, kind);
      return id ?? null;
    },

    one(id: number): OurRow | null {
      const row = database.prepare<[number], Row>(`SELECT ${OURS} FROM ours o WHERE o.id = ?`).safeIntegers().get(id);
      return row === undefined ? null : ourRow(row);
    },

    line(id: number): LooseLine | null {
      const row = database
        .prepare<[number], Row>(`SELECT ${LINES} FROM theirs t WHERE t.id = ?`)
        .safeIntegers()
        .get(id);
      return row === undefined ? null : looseLine(row);
    },

    /** Chargebacks and their ends up to a day, of all periods. */
    chargebacks(until: string): LooseLine[] {
      const lines = database.prepare<[string], Row>(`
        SELECT ${LINES} FROM theirs t WHERE t.type ${IS_CHARGEBACK} AND t.date <= ?
        ORDER BY t.date, t.fingerprint, t.occurrence`);
      return lines.safeIntegers().all(until).map(looseLine);
    },
  };
}

function* pages(read: (after: number) => Row[]): Generator<readonly Row[]> {
  for (let after = 0; ; ) {
    const rows = read(after);
    yield rows;
    if (rows.length < PAGE) return;
    after = Number(rows.at(-1)?.id);
  }
}

export function ourRow(row: Row): OurRow {
  const { isCovered: _isCovered, ...rest } = row;
  return {
    ...(rest as unknown as OurRow),
    id: Number(row.id),
    recordId: row.recordId === null ? null : Number(row.recordId),
    isDayLearnt: row.isDayLearnt === 1n,
  };
}

export function looseLine(row: Row): LooseLine {
  return {
    ...(row as unknown as LooseLine),
    id: Number(row.id),
    leg: row.leg === null ? null : Number(row.leg),
    statement: Number(row.statement),
    row: Number(row.row),
    occurrence: Number(row.occurrence),
    pass: (row.pass as TheirLine['pass'] | undefined) ?? null,
  };
}

function theirLine(row: Row): TheirLine {
  return looseLine(row) as TheirLine;
}
