import type { OurRow } from '../../domain/matching/rows.ts';
import { type Standing, standingAt } from '../../domain/matching/standing.ts';
import type { KnownOrder, KnownRecord, ReconciliationArchive } from '../../store/reconciliation.ts';
import type { ChangedRecord } from '../../store/scratch/late-rows.ts';
import type { KeyedRow, Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { accountsOf } from './accounts.ts';
import type { Closing, Closings } from './closed.ts';
import { knownRow, statementBatches } from './our-rows.ts';
import type { Sides } from './sides.ts';

/*
 * What is dated in a closed period and became known after its close posts on the first open day, so it stands there: the closed
 * figures stay as they are, and what was open in them ends where the late row explains it (RECONCILIATION 7, Late arrivals).
 */

/** What came late, by the numbers of the run. */
export interface Late {
  /** The own days of late rows of ours. */
  readonly rows: ReadonlyMap<number, string>;
  /** The own dates of late lines. */
  readonly lines: ReadonlyMap<number, string>;
  /** Rows of ours as the closed figures have them, where that is not how they are now. */
  readonly asClosed: ReadonlyMap<number, OurRow>;
  /** Statements that came after the close of their account. */
  readonly statements: ReadonlySet<number>;
  /** Rows without a stated time that became known, or settled, after a close: a line of closed days may place them. */
  readonly learnt: ReadonlyMap<Closing, readonly number[]>;
}

export interface LateOrder {
  readonly scratch: Scratch;
  readonly closings: Closings;
  readonly sides: readonly Sides[];
  readonly statements: readonly StatementSummary[];
  readonly dayOf: (ms: number) => string;
}

/** Moves late lines to the day on which they post; again after more lines came in. */
export function moveLateLines({ scratch, closings, statements }: LateOrder): Set<number> {
  const late = new Set<number>();
  for (const { environment, name, statements: own } of accountsOf(statements)) {
    const closing = closings.ofAccount(environment, name);
    if (closing === null) continue;
    const after = own.filter(({ importedAtMs }) => importedAtMs > closing.closedAtMs).map(({ statement }) => statement);
    for (const statement of after) late.add(statement);
    if (after.length > 0) scratch.late.moveLines(after, { to: closing.to, postsOn: closing.postsOn });
  }
  return late;
}

/** Moves late rows of ours, and notes how the closed figures have those that changed since. */
export async function placeLate(archive: Pick<ReconciliationArchive, 'knownRecords'>, order: LateOrder): Promise<Late> {
  const statements = moveLateLines(order);
  const asClosed = new Map<number, OurRow>();
  const learnt = new Map<Closing, number[]>();
  if (order.closings.sinceMs !== null) {
    await placeRecords(archive, order, { asClosed, learnt });
    placeBatches(order, statements, asClosed);
  }
  return { rows: order.scratch.late.rows(), lines: order.scratch.late.lines(), asClosed, statements, learnt };
}

/** Moves rows that were learnt after a close, and that lines of closed days took, to the day on which they post. */
export function placeLearnt({ scratch, late }: { readonly scratch: Scratch; readonly late: Late }): Late {
  if (late.learnt.size === 0) return late;
  for (const [closing, rows] of late.learnt) scratch.late.moveLearnt(rows, closing);
  return { ...late, rows: scratch.late.rows() };
}

async function placeRecords(
  archive: Pick<ReconciliationArchive, 'knownRecords'>,
  { scratch, closings, sides, dayOf }: LateOrder,
  { asClosed, learnt }: { readonly asClosed: Map<number, OurRow>; readonly learnt: Map<Closing, number[]> },
): Promise<void> {
  const closingOf = (row: ChangedRecord) => closings.ofRecords(row.environment, recordAccounts(sides, row));
  const byClosing = Map.groupBy(scratch.late.changed(), closingOf);
  for (const [closing, changed] of byClosing) {
    if (closing === null) continue;
    const since: number[] = [];
    learnt.set(closing, since);
    for (const [kind, rows] of Map.groupBy(changed, (row) => row.kind)) {
      if (kind === 'batch' || kind === 'top_up') continue;
      for (let start = 0; start < rows.length; start += AT_ONCE) {
        const some = rows.slice(start, start + AT_ONCE);
        const known = await knownAt(archive, {
          kind,
          ids: some.map(({ recordId }) => recordId),
          asAtMs: closing.closedAtMs,
        });
        for (const { id, recordId } of some) {
          const now = scratch.rows.one(id);
          const record = known.get(recordId);
          const row = record?.seen ? knownRow(record, dayOf) : null;
          const then = row === null ? null : { ...row, id };
          if (now === null) continue;
          place({ scratch, asClosed, closing }, now, then);
          if (now.isDayLearnt && isSettled(now) && (then === null || !isSettled(then))) since.push(id);
        }
      }
    }
  }
}

/** Records asked for at a time. */
const AT_ONCE = 500;

async function knownAt(archive: Pick<ReconciliationArchive, 'knownRecords'>, order: KnownOrder) {
  const records = await archive.knownRecords(order);
  return new Map<number, KnownRecord>(records.map((record) => [record.id, record]));
}

/** In the order of accounts: those where a record of ours would appear. */
function recordAccounts(sides: readonly Sides[], row: Pick<OurRow, 'environment' | 'currency' | 'kind'>): string[] {
  return sides.flatMap(({ environment, currency, kinds, accounts }) =>
    environment === row.environment && currency === row.currency && kinds.includes(row.kind) ? accounts : [],
  );
}

/** Batches as the closed figures have them: of the lines that were there. */
function placeBatches(
  { scratch, closings, sides }: LateOrder,
  after: ReadonlySet<number>,
  asClosed: Map<number, OurRow>,
): void {
  if (after.size === 0) return;
  const then = new Map(statementBatches(scratch, sides, [...after]).map((row) => [nameOf(row), row] as const));
  for (const now of scratch.late.ofKind('batch')) {
    const closing = closings.ofRecords(now.environment, ourAccounts(sides, now));
    const before = then.get(nameOf(now));
    if (closing !== null) {
      place({ scratch, asClosed, closing }, now, before === undefined ? null : { ...before, id: now.id });
    }
  }
}

function ourAccounts(sides: readonly Sides[], row: OurRow): string[] {
  return sides.flatMap((one) =>
    one.environment === row.environment && one.currency === row.currency && one.kinds.includes(row.kind)
      ? one.ourAccounts
      : [],
  );
}

function nameOf({
  environment,
  currency,
  reference,
}: Pick<KeyedRow, 'environment' | 'currency' | 'reference'>): string {
  return JSON.stringify([environment, currency, reference]);
}

const SETTLED: ReadonlySet<Standing> = new Set(['done', 'undone', 'reversed']);

function isSettled(row: OurRow): boolean {
  return SETTLED.has(standingAt(row, row.day, row.day));
}

interface Place {
  readonly scratch: Scratch;
  readonly asClosed: Map<number, OurRow>;
  readonly closing: Closing;
}

/** A row that the closed figures did not have, or not as settled, is late; one that they had otherwise is judged against them. */
function place({ scratch, asClosed, closing }: Place, now: OurRow, then: OurRow | null): void {
  const { to, postsOn } = closing;
  const { id, day, startDay } = now;
  const wasSettled = then !== null && SETTLED.has(standingAt(then, then.day, to));
  const isLate = day <= to && !wasSettled && (then === null || SETTLED.has(standingAt(now, day, to)));
  const startsLate = then === null && startDay <= to;
  if (isLate || startsLate) {
    const moved = { startDay: startsLate ? postsOn : startDay, day: isLate ? postsOn : day };
    scratch.late.moveRow({ id, ...moved, ownDay: isLate ? day : null });
  }
  if (then !== null && isOther(now, then) && (day <= to || then.day <= to || startDay <= to)) {
    scratch.late.judge(id);
    asClosed.set(id, then);
  }
}

const COMPARED = [
  'status',
  'currency',
  'amount',
  'direction',
  'requested',
  'fees',
  'duty',
  'reserved',
  'startDay',
  'day',
] as const;

function isOther(now: OurRow, then: OurRow): boolean {
  return COMPARED.some((field) => now[field] !== then[field]);
}
