import type { Database } from '../engine/database.ts';
import { holdsAccount, IS_UNFINISHED, OLD_PERIODS } from './old-periods.ts';

/** Days of an account whose lines lose what they say of people. */
export interface TextDays {
  readonly account: number;
  readonly from: string;
  readonly to: string;
}

/** What of them is meant: lines and statements that there were. */
export interface TextExtent extends TextDays {
  readonly lastLine: number;
  readonly lastStatement: number;
}

export interface TextLine {
  readonly id: number;
  readonly statement: number;
  readonly date: string;
  readonly fingerprint: Buffer;
  readonly occurrence: number;
  /** It has a text or a counterparty. */
  readonly says: 0 | 1;
}

/** Reads which days may lose their texts, and their lines. */
export function oldTexts(database: Database) {
  const holds = holdsAccount('a.name');
  const overlaps = 's.covers_from <= p.to_day AND s.covers_to >= p.from_day';
  // What came late belongs to the period that was closed next: its texts are old when that one is.
  const lastClosing = `(SELECT max(n.as_at) FROM (
    SELECT c.as_at, p.environment, p.accounts, p.to_day FROM ${OLD_PERIODS}) n
    WHERE n.environment = p.environment AND ${holdsAccount('a.name', 'n')} AND n.to_day >= p.to_day)`;
  const days = database.prepare<{ beforeDay: string; account: number | null }, TextDays>(`
    SELECT DISTINCT a.id AS account, p.from_day AS "from", p.to_day AS "to"
    FROM ${OLD_PERIODS} JOIN accounts a ON a.environment = p.environment AND ${holds}
    WHERE (@account IS NULL OR a.id = @account) AND a.importing IS NULL
      AND EXISTS (
        SELECT 1 FROM imported_statements s WHERE s.account_id = a.id AND s.state = 'imported' AND ${overlaps}
          AND s.id > coalesce((SELECT max(e.last_statement) FROM erased_texts e
            WHERE e.account_id = a.id AND e.from_day <= p.from_day AND e.to_day >= p.to_day), 0))
      AND NOT EXISTS (
        SELECT 1 FROM imported_statements s
        WHERE s.account_id = a.id AND s.state = 'imported' AND ${overlaps} AND s.imported_at > ${lastClosing})
      AND NOT EXISTS (
        SELECT 1 FROM exceptions x LEFT JOIN exception_resolutions r ON r.id = x.resolution_id
        WHERE x.status <> 'closed' AND x.environment = p.environment AND x.account = a.name
          AND x.date BETWEEN p.from_day AND p.to_day AND ${IS_UNFINISHED})
    ORDER BY a.id, p.from_day, p.to_day`);
  const begun = database.prepare<[], TextExtent & { id: number }>(`
    SELECT id, account_id AS account, from_day AS "from", to_day AS "to", last_line AS lastLine, last_statement AS lastStatement
    FROM erased_texts WHERE cleared_at IS NULL ORDER BY id`);
  const extent = database.prepare<[number], Pick<TextExtent, 'lastLine' | 'lastStatement'>>(`
    SELECT (SELECT coalesce(max(id), 0) FROM imported_lines) AS lastLine,
      (SELECT coalesce(max(id), 0) FROM imported_statements WHERE account_id = a.id) AS lastStatement
    FROM accounts a WHERE a.id = ? AND a.importing IS NULL`);
  const lines = database.prepare<unknown[], TextLine>(`
    SELECT id, statement_id AS statement, date, fingerprint, occurrence, text IS NOT NULL OR counterparty IS NOT NULL AS says
    FROM imported_lines
    WHERE account_id = @account AND date >= @date AND date <= @to
      AND (date, fingerprint, occurrence) > (@date, @fingerprint, @occurrence) AND id <= @lastLine
    ORDER BY date, fingerprint, occurrence LIMIT @limit`);
  const overlapping = database
    .prepare<[string], number>(
      'SELECT DISTINCT statement_id FROM imported_overlaps WHERE line_id IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  const shows = database
    .prepare<[number], 1>("SELECT 1 FROM imported_statements WHERE id = ? AND state = 'imported'")
    .pluck();

  return {
    /** Days that may lose their texts and have not begun to. */
    days: (beforeDay: string): TextDays[] => days.all({ beforeDay, account: null }),

    /** Days whose texts count for nothing already. */
    begun: (): (TextExtent & { id: number })[] => begun.all(),

    /** Null: a statement of the account is being imported. */
    extent(one: TextDays): TextExtent | null {
      const found = extent.get(one.account);
      return found === undefined ? null : { ...one, ...found };
    },

    /** Whether these days may still lose their texts, and nothing of the account was imported since. */
    isSame: (beforeDay: string, { account, from, to, lastStatement }: TextExtent): boolean =>
      extent.get(account)?.lastStatement === lastStatement &&
      days.all({ beforeDay, account }).some((one) => one.from === from && one.to === to),

    /** The lines of these days, so many at a time. */
    *lines(
      { account, from, to, lastLine: last }: TextExtent,
      limit: number,
    ): Generator<readonly TextLine[], void, void> {
      let place: Pick<TextLine, 'date' | 'fingerprint' | 'occurrence'> = {
        date: from,
        fingerprint: Buffer.alloc(0),
        occurrence: 0,
      };
      for (;;) {
        const found = lines.all({ ...place, account, to, lastLine: last, limit });
        yield found;
        const end = found.at(-1);
        if (end === undefined || found.length < limit) return;
        place = { date: end.date, fingerprint: end.fingerprint, occurrence: end.occurrence };
      }
    },

    /** Other statements that show one of these lines. */
    overlapping: (ids: readonly number[]): number[] => overlapping.all(JSON.stringify(ids)),

    shows: (statement: number): boolean => shows.get(statement) === 1,
  };
}
