import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayPlus } from '../../../../domain/reconciling/business-day.ts';
import { RECORD_KINDS } from '../../../../domain/records/lifecycle.ts';
import type { MatchingScope, ReconciliationArchive } from '../../../reconciliation.ts';
import { IS_CHARGEBACK, OURS_ONCE } from '../../../scratch/schema.ts';
import type { Scratch } from '../../../scratch/scratch.ts';
import type { Database } from '../../engine/database.ts';
import { secondsText } from '../../rows/effective-time.ts';
import { attached, defineDayOf } from './attached.ts';
import { DAY_WITHIN, linesInsert, recordInsert } from './fill-sql.ts';
import { WINDOW } from './fragments.ts';

/**
 * Copies what a run compares inside the engine, which is several times faster than through the program: the scratch database
 * attaches this one for reading. In windows, so that no statement holds an old state of the database for long.
 */
export function scratchFill(
  database: Database,
): Pick<ReconciliationArchive, 'fillScratch' | 'fillNamedLines' | 'fillKnownMatches'> {
  return {
    fillScratch: attached(database, fill),
    fillNamedLines: attached(database, fillNamed),
    fillKnownMatches: attached(database, fillKnown),
  };
}

async function fill({ database }: Scratch, scope: MatchingScope): Promise<void> {
  const { from, until, fromMs, beforeMs, asAtMs, closedAtMs, environment = null } = scope;
  defineDayOf(database, scope.dayOf);
  const bounds = { environment, asAtMs, closedAtMs, from: secondsText(fromMs), until: secondsText(beforeMs - 1) };

  const accounts = database.prepare<[], number>('SELECT id FROM store.accounts ORDER BY name').pluck().all();
  const onDay = `l.id IN (SELECT i.id FROM store.imported_lines i WHERE i.account_id = @account AND i.date = @day)
    AND (@environment IS NULL OR l.environment = @environment)`;
  const ofDay = database.prepare(linesInsert(onDay, DAY_WITHIN));
  // A file that is cut at another midnight prints another date than the day of its lines.
  const besideDay = database.prepare(linesInsert(`${onDay} AND day_of_ms(l.happened_at) BETWEEN @from AND @until`));
  const days = database.prepare<{ account: number; from: string; until: string }, string>(`
    SELECT DISTINCT date FROM store.imported_lines
    WHERE account_id = @account AND date BETWEEN @from AND @until`);
  for (const account of accounts) {
    const own = { account, environment, asAtMs };
    for (const day of days.pluck().all({ account, from, until })) {
      ofDay.run({ ...own, day, startMs: scope.startOf(day), endMs: scope.startOf(dayPlus(day, 1)) });
      await nextTurn();
    }
    for (const day of [dayPlus(from, -1), dayPlus(until, 1)]) besideDay.run({ ...own, day, from, until });
  }

  const byId = database.prepare(linesInsert('l.id = @line'));
  for (const { line } of scope.decided) byId.run({ line, asAtMs });
  const byRow = database.prepare(linesInsert('l.statement_id = @statement AND l.row = @row'));
  for (const { line } of scope.leftOpen)
    if (line !== null) byRow.run({ statement: line.statement, row: line.row, asAtMs });

  for (const kind of RECORD_KINDS) {
    const last = database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM store.${kind}s`).pluck().get() ?? 0;
    const ofPeriod = database.prepare(recordInsert(kind, { window: true }));
    for (let first = 1; first <= last; first += WINDOW) {
      ofPeriod.run({ ...bounds, first, last: first + WINDOW - 1 });
      await nextTurn();
    }
  }
  database.exec(OURS_ONCE);
  const names = [...scope.decided, ...scope.leftOpen.flatMap(namesOf)];
  await fillByKeys(database, { ...bounds, fromDay: from, untilDay: until }, names);
}

function namesOf({ environment, reference, candidates }: MatchingScope['leftOpen'][number]): RowName[] {
  return [reference, ...candidates].flatMap((name) => (name === null ? [] : [{ environment, reference: name }]));
}

type RowName = Pick<MatchingScope['decided'][number], 'environment' | 'reference'>;

interface Bounds {
  readonly environment: string | null;
  readonly asAtMs: number;
  readonly closedAtMs: number | null;
  readonly from: string;
  readonly until: string;
  readonly fromDay: string;
  readonly untilDay: string;
}

/** Names, of a page, by which rows of other days are found. */
const NAMES = 5_000;

/** Adds records that lines name and lines that name records, of all days. */
async function fillByKeys(database: Database, bounds: Bounds, names: readonly RowName[]): Promise<void> {
  database.exec(`
    CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY, environment TEXT, name TEXT);
    INSERT INTO wanted (environment, name)
      SELECT DISTINCT t.environment, t.reference FROM theirs t
      WHERE t.reference IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ours o WHERE o.environment = t.environment AND o.reference = t.reference);
    INSERT INTO wanted (environment, name)
      SELECT DISTINCT environment, session_id FROM theirs WHERE session_id IS NOT NULL UNION
      SELECT DISTINCT environment, transaction_reference FROM theirs WHERE transaction_reference IS NOT NULL;`);
  const want = database.prepare<[string, string]>('INSERT INTO wanted (environment, name) VALUES (?, ?)');
  for (const { environment, reference } of names) want.run(environment, reference);
  for (const kind of RECORD_KINDS) {
    await inPages(database, 'wanted', database.prepare(recordInsert(kind, { window: false })), { ...bounds });
  }

  const isBeyond = database
    .prepare<Bounds, number>(`
      SELECT EXISTS (SELECT 1 FROM store.accounts a WHERE
        EXISTS (SELECT 1 FROM store.imported_lines l WHERE l.account_id = a.id AND l.date < @fromDay)
        OR EXISTS (SELECT 1 FROM store.imported_lines l WHERE l.account_id = a.id AND l.date > @untilDay))`)
    .pluck()
    .get(bounds);
  if (isBeyond !== 1) return;
  const { environment, asAtMs, fromDay, untilDay } = bounds;
  await inPages(database, 'theirs', database.prepare(linesInsert(OF_BATCH)), {
    environment,
    asAtMs,
    fromDay,
    untilDay,
  });
  const hasChargebacks = database
    .prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM theirs t WHERE t.type ${IS_CHARGEBACK})`)
    .pluck();
  if (hasChargebacks.get() === 1) {
    const ofChargeback = database.prepare(linesInsert(OF_CHARGEBACK));
    await inPages(database, 'theirs', ofChargeback, { environment, asAtMs, fromDay, untilDay });
  }
  const hasTopUps = database.prepare<[], number>("SELECT EXISTS (SELECT 1 FROM theirs WHERE type = 'top_up')").pluck();
  if (hasTopUps.get() === 1) {
    for (const column of ['reference', 'session_id'] as const) {
      await inPages(database, 'theirs', database.prepare(linesInsert(OF_TOP_UP(column))), {
        ...{ environment, asAtMs, fromDay, untilDay },
      });
    }
  }
  for (const [column, key] of LINE_KEYS) {
    const insert = database.prepare(
      linesInsert(`(l.date < @fromDay OR l.date > @untilDay) AND EXISTS (SELECT 1 FROM ours o WHERE o.environment = l.environment
        AND o.${key} = l.${column}) AND l.${column} IN (SELECT o.${key} FROM ours o WHERE o.id BETWEEN @first AND @last)
        AND (@environment IS NULL OR l.environment = @environment)`),
    );
    await inPages(database, 'ours', insert, { environment, asAtMs, fromDay, untilDay });
  }
}

/** Lines of other days that belong to a batch of these days, whose sum needs all of them. */
const OF_BATCH = `(l.date < @fromDay OR l.date > @untilDay) AND (@environment IS NULL OR l.environment = @environment)
  AND l.group_name IN (SELECT t.group_name FROM theirs t WHERE t.id BETWEEN @first AND @last AND t.group_name IS NOT NULL)`;

/** Lines of other days with the name of a top-up of these days: each is one of it, or a part. */
const OF_TOP_UP = (column: 'reference' | 'session_id') => `(l.date < @fromDay OR l.date > @untilDay)
  AND (@environment IS NULL OR l.environment = @environment) AND l.type = 'top_up'
  AND l.${column} IN (SELECT t.${column} FROM theirs t
    WHERE t.id BETWEEN @first AND @last AND t.type = 'top_up' AND t.${column} IS NOT NULL)`;

const CHARGED_BACK = (['reference', 'transaction_reference'] as const)
  .map(
    (column) => `SELECT t.${column} FROM theirs t
      WHERE t.id BETWEEN @first AND @last AND t.type ${IS_CHARGEBACK} AND t.${column} IS NOT NULL`,
  )
  .join(' UNION ALL ');
/** Chargebacks of other days that name what one of these days names: together they take no more than was collected. */
const OF_CHARGEBACK = `(l.date < @fromDay OR l.date > @untilDay) AND (@environment IS NULL OR l.environment = @environment)
  AND l.type ${IS_CHARGEBACK}
  AND (l.reference IN (${CHARGED_BACK}) OR l.transaction_reference IN (${CHARGED_BACK}))`;

/** Lines of other days that name a batch or a top-up. */
const OF_STATEMENT_ROW = (column: 'reference' | 'group_name') => `(l.date < @fromDay OR l.date > @untilDay)
  AND (@environment IS NULL OR l.environment = @environment)
  AND l.${column} IN (SELECT o.reference FROM ours o WHERE o.record_id IS NULL AND o.id BETWEEN @first AND @last)`;

async function fillNamed({ database }: Scratch, scope: MatchingScope): Promise<void> {
  const { environment = null, asAtMs, from: fromDay, until: untilDay } = scope;
  for (const column of ['reference', 'group_name'] as const) {
    const insert = database.prepare(linesInsert(OF_STATEMENT_ROW(column)));
    await inPages(database, 'ours', insert, { environment, asAtMs, fromDay, untilDay });
  }
}

const LINE_KEYS = [
  ['reference', 'reference'],
  ['session_id', 'session_id'],
  ['transaction_reference', 'transaction_reference'],
] as const;

async function inPages(
  database: Database,
  table: 'wanted' | 'ours' | 'theirs',
  insert: ReturnType<Database['prepare']>,
  parameters: Readonly<Record<string, unknown>>,
): Promise<void> {
  const last = database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get() ?? 0;
  for (let first = 1; first <= last; first += NAMES) {
    insert.run({ ...parameters, first, last: first + NAMES - 1 });
    await nextTurn();
  }
}

async function fillKnown({ database }: Scratch): Promise<void> {
  const insert = database.prepare(`
    INSERT OR IGNORE INTO known (id, line, leg, kind, reference, pass, state)
    SELECT m.id, m.line_id, m.leg, m.kind, m.reference, m.pass, m.state
    FROM theirs t JOIN store.matches m ON m.line_id = t.id WHERE t.id BETWEEN @first AND @last`);
  await inPages(database, 'theirs', insert, {});
  database.exec('CREATE INDEX known_line ON known (line)');
}
