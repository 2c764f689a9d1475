import type { OurRow, TheirLine } from '../../domain/matching/rows.ts';
import { placedDay, type Standing, standingAt } from '../../domain/matching/standing.ts';
import { isRecordKind } from '../../domain/records/lifecycle.ts';
import type { KnownRecord, ReconciliationArchive } from '../../store/reconciliation.ts';
import type { ChangedRecord } from '../../store/scratch/late-rows.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { accountsOf } from './accounts.ts';
import type { Closings } from './closed.ts';
import { knownRow, statementBatches } from './our-rows.ts';
import type { Sides } from './sides.ts';
import type { Window } from './window.ts';

/*
 * Which rows of closed days became known after the close: their lines came in a later statement, their records were learnt or settled
 * since. They are of their own days, and post on the first open one (docs/matching.md, Laws).
 */

export interface LateOrder {
  readonly scratch: Scratch;
  readonly closings: Closings;
  readonly sides: readonly Sides[];
  readonly statements: readonly StatementSummary[];
  readonly dayOf: (ms: number) => string;
  readonly window: Pick<Window, 'from' | 'until'>;
}

/** What of a group is late: of closed days, and not in their figures. */
export interface Lateness<Line> {
  /** The own days of its late rows of ours, by their numbers. */
  readonly rows: ReadonlyMap<number, string>;
  readonly lines: readonly Line[];
  /** Its other lines. */
  readonly inTime: readonly Line[];
  /** Whether a row of ours or a line is late. */
  readonly isSome: boolean;
  /** Whether a row of ours may be known otherwise than at the close. */
  readonly isChanged: boolean;
}

/** What the closed figures of the days before a run do not have, by the numbers of the run. */
export class Late {
  readonly #from: string;
  readonly #until: string;
  /** Rows of ours that the close did not know, or not as settled. */
  readonly #rows: Set<number>;
  /** Rows of ours that may be known otherwise than at the close. */
  readonly #changed: Set<number>;
  /** Statements that came after the close of their account. */
  readonly statements: ReadonlySet<number>;

  constructor(
    days: { readonly from: string; readonly until: string },
    parts: {
      readonly rows: Iterable<number>;
      readonly changed: Iterable<number>;
      readonly statements: ReadonlySet<number>;
    },
  ) {
    this.#from = days.from;
    this.#until = days.until;
    this.#rows = new Set(parts.rows);
    this.#changed = new Set(parts.changed);
    this.statements = parts.statements;
  }

  /** What is late of a group. `placing`: the lines that place a row of it of which no source states the day. */
  of<Line extends Pick<TheirLine, 'date' | 'postsOn'>>(
    rows: readonly OurRow[],
    lines: readonly Line[],
    placing: readonly TheirLine[] = [],
  ): Lateness<Line> {
    const late = lines.filter((line) => this.#isLine(line));
    const days = rows.flatMap((row) => {
      const day = this.#dayOf(row, placing);
      return day === null ? [] : [[row.id, day] as const];
    });
    return {
      rows: new Map(days),
      lines: late,
      inTime: late.length === 0 ? lines : lines.filter((line) => !this.#isLine(line)),
      isSome: late.length > 0 || days.length > 0,
      isChanged: rows.some(({ id }) => this.#changed.has(id) || this.#rows.has(id)),
    };
  }

  /** Whether a line is of a closed day, and came after its close. */
  #isLine({ date, postsOn }: Pick<TheirLine, 'date' | 'postsOn'>): boolean {
    return postsOn !== null && date < this.#from && postsOn >= this.#from;
  }

  /** The day of a late row of ours; null: it is not late. */
  #dayOf(row: OurRow, lines: readonly TheirLine[]): string | null {
    if (!this.#rows.has(row.id)) return null;
    const day = placedDay(row, lines, this.#until);
    return day < this.#from ? day : null;
  }
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

/** Finds what is late, once all lines are in; moves late lines to the day on which they post. */
export async function lateOf(archive: Pick<ReconciliationArchive, 'knownRecords'>, order: LateOrder): Promise<Late> {
  const days = order.window;
  const statements = moveLateLines(order);
  const changed = order.closings.sinceMs === null ? [] : order.scratch.late.changed(days.from);
  const made = order.scratch.late.posted();
  const found = [...(await newRecords(archive, order, changed)), ...newBatches(order, statements)];
  const rows = [...made, ...found];
  for (const id of found) order.scratch.late.post(id, days.from);
  return new Late(days, { rows, changed: changed.map(({ id }) => id), statements });
}

/** Records asked for at a time. */
const AT_ONCE = 500;

/** The records that were not known as settled when the days before the run were closed. */
async function newRecords(
  archive: Pick<ReconciliationArchive, 'knownRecords'>,
  { scratch, closings, sides, dayOf, window }: LateOrder,
  changed: readonly ChangedRecord[],
): Promise<number[]> {
  const found: number[] = [];
  for (const [closing, ofClosing] of Map.groupBy(changed, (row) =>
    closings.ofRecords(row.environment, recordAccounts(sides, row)),
  )) {
    if (closing === null || closing.postsOn !== window.from) continue;
    for (const [kind, rows] of Map.groupBy(ofClosing, (row) => row.kind)) {
      if (!isRecordKind(kind)) continue;
      for (let start = 0; start < rows.length; start += AT_ONCE) {
        const some = rows.slice(start, start + AT_ONCE);
        const ids = some.map(({ recordId }) => recordId);
        const records = await archive.knownRecords({ kind, ids, asAtMs: closing.closedAtMs });
        const known = new Map<number, KnownRecord>(records.map((record) => [record.id, record]));
        for (const { id, recordId } of some) {
          const record = known.get(recordId);
          const then = record?.seen ? knownRow(record, dayOf) : null;
          const now = scratch.rows.one(id);
          const wasSettled = then !== null && isSettled({ ...then, id });
          if (now !== null && !wasSettled && (then === null || isSettled(now))) found.push(id);
        }
      }
    }
  }
  return found;
}

/** Batches all of whose lines are late. */
function newBatches({ scratch, sides }: LateOrder, statements: ReadonlySet<number>): number[] {
  if (statements.size === 0) return [];
  const nameOf = (row: Pick<OurRow, 'environment' | 'currency' | 'reference'>) =>
    JSON.stringify([row.environment, row.currency, row.reference]);
  const then = new Set(statementBatches(scratch, sides, [...statements]).map(nameOf));
  return scratch.late.ofKind('batch').flatMap((row) => (then.has(nameOf(row)) ? [] : [row.id]));
}

/** In the order of accounts: those where a record of ours would appear. */
function recordAccounts(sides: readonly Sides[], row: Pick<OurRow, 'environment' | 'currency' | 'kind'>): string[] {
  return sides.flatMap(({ environment, currency, kinds, accounts }) =>
    environment === row.environment && currency === row.currency && kinds.includes(row.kind) ? accounts : [],
  );
}

const SETTLED: ReadonlySet<Standing> = new Set(['done', 'undone', 'reversed']);

function isSettled(row: OurRow): boolean {
  return SETTLED.has(standingAt(row, row.day, row.day));
}
