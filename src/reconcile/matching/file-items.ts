import type { BreakFacts } from '../../domain/reconciling/break.ts';
import type { UnparsedRow } from '../../domain/statements/statement.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Item } from '../item.ts';
import type { MatchRun } from './run.ts';

/** What is said of a file is said of their side. */
export const FILE = { sub: null, side: 'theirs' as const };

export function unparsedItem(run: MatchRun, statement: StatementSummary, row: UnparsedRow) {
  const { until } = run.window;
  const firstSeen = row.date === null || row.date > until ? firstSeenOf(run, statement) : row.date;
  const { column, value, reason } = row;
  const where = column === null ? '' : `column ${column}, `;
  const detail = `${where}"${value}": ${reason}`;
  const facts = { ...FILE, code: 'unparsed' as const, field: column, ours: null, theirs: value, detail };
  return { facts, firstSeen, row: row.row, names: `${row.fingerprint} ${row.occurrence}`, line: row };
}

/** Whether a row is of a day after the period, of a file that goes on until then. */
export function isAfter({ window: { until } }: MatchRun, { covers }: StatementSummary, { date }: UnparsedRow): boolean {
  return date !== null && date > until && covers !== null && covers.to > until;
}

/** When a row of a file without a day of its own stands in the period: at the end of the file, or of the period that comes first. */
export function firstSeenOf({ window: { until } }: MatchRun, { covers }: StatementSummary): string {
  return covers === null || covers.to > until ? until : covers.to;
}

export interface FileItem {
  readonly facts: BreakFacts;
  /** Null: the account has no currency yet. */
  readonly currency: string | null;
  readonly effect: bigint;
  readonly firstSeen: string;
  readonly row: number | null;
  readonly names: string;
  readonly line?: UnparsedRow;
  /** Whether it is open from before; missing: the days of the file tell. */
  readonly isCarried?: boolean;
}

/** Lists what is wrong with a file, and counts its effect on the balance of the account. */
export function add(run: MatchRun, statement: StatementSummary, item: FileItem): void {
  const { name, environment } = statement.account;
  const { facts, currency, effect, firstSeen, row, names, line } = item;
  if (currency !== null && effect !== 0n) run.books.of({ environment, account: name, currency }).effects += effect;
  const made: Item = {
    facts,
    kind: null,
    environment,
    reference: null,
    recordId: null,
    currency,
    minor: null,
    firstSeen,
    place: {
      leg: null,
      account: name,
      effect,
      line:
        row === null
          ? null
          : {
              statement: statement.statement,
              row,
              fingerprint: line?.fingerprint ?? '',
              occurrence: line?.occurrence ?? 0,
            },
      candidates: [],
      names,
    },
  };
  const isEarlier = statement.covers !== null && statement.covers.to < run.window.from;
  ((item.isCarried ?? isEarlier) ? run.found.carried : run.found.breaks).push(made);
}
