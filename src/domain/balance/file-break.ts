import { amountOfMinor } from '../money/amount.ts';
import { type BreakFacts, effectOf, type Item, type LineName, type Place, withEffect } from '../reconciling/break.ts';
import type { ControlCheck, UnparsedRow } from '../statements/statement.ts';
import { type AccountFile, type BookFile, rowName } from './book-file.ts';
import { isRepeating, type RivalFiles, rivalText } from './rivals.ts';

/** What is wrong with a file, or between it and the files before it. */
export interface FileItem extends Item {
  /** It is of days before the period. */
  readonly isCarried: boolean;
}

/** The file of an item, in the currency in which it is listed. */
type OfFile = Pick<BookFile, 'statement' | 'account'> & Pick<Item, 'currency'>;

interface About extends Pick<Item, 'facts' | 'firstSeen'>, Pick<Place, 'effect'> {
  /** What it is about: the same in every run that finds it. */
  readonly names: string;
  /** The row of the file; missing: the file as a whole. */
  readonly row?: Pick<LineName, 'row' | 'fingerprint' | 'occurrence'> | null;
  readonly isCarried: boolean;
}

export function fileItem(file: OfFile, { facts, firstSeen, effect, names, row = null, isCarried }: About): FileItem {
  const { statement, account, currency } = file;
  const line =
    row === null ? null : { statement, row: row.row, fingerprint: row.fingerprint, occurrence: row.occurrence };
  return {
    ...{ facts, kind: null, environment: account.environment, reference: null, recordId: null },
    ...{ currency, minor: null, firstSeen, isCarried },
    place: { leg: null, account: account.name, effect, line, candidates: [], names },
  };
}

/** What is said of a file is said of their side. */
export const FILE = { sub: null, side: 'theirs' as const, ours: null, theirs: null };

/** Days at an end of the period that no statement covers; `names`: the day of the opening, or the end of the period. */
export function uncoveredDays(file: BookFile, days: { from: string; to: string }, names: string): FileItem {
  const facts = { ...FILE, code: 'statement_gap' as const, field: 'days', detail: uncovered(days.from, days.to) };
  return fileItem(file, { facts, effect: 0n, firstSeen: days.to, names, isCarried: false });
}

/** `no statement covers 2026-10-01 to 2026-10-04` */
export function uncovered(from: string, to: string): string {
  return `no statement covers ${from < to ? `${from} to ${to}` : from}`;
}

type Placed = Pick<About, 'effect' | 'firstSeen' | 'isCarried'>;

/** Two files that cannot both be right. */
export function rivalBreak(rivals: RivalFiles, placed: Placed): FileItem {
  const { one, other, rivalry } = rivals;
  const names = [one, other].map(({ file }) => file.sha256).join(' ');
  const gap = { code: 'statement_gap' as const, sub: rivalry.how, field: 'lines', detail: rivalText(rivals) };
  return fileItem(other, { facts: { ...FILE, ...gap }, names, ...placed });
}

/** The one of two such files that reaches furthest closes otherwise than with the lines of both. */
export function closesOtherwise<One extends Item>(item: One, computed: bigint, stated: bigint): One {
  const sums = { ours: amountOfMinor(computed), theirs: amountOfMinor(stated) };
  return withEffect({ ...item, facts: { ...item.facts, ...sums } }, effectOf(item) + stated - computed);
}

/** The effect of a pair of which lines of both were counted once; of other pairs nothing: what lines of both moved counts. */
export function effectOfRivals(rivals: RivalFiles): bigint {
  return isRepeating(rivals) ? rivals.rivalry.both.minor : 0n;
}

/** A row of a file that cannot be read, since its own day. `until`: the last day of the period. */
export function unparsedBreak(
  file: OfFile,
  covers: AccountFile['covers'],
  row: UnparsedRow,
  { until, ...placed }: Pick<Placed, 'effect' | 'isCarried'> & { readonly until: string },
): FileItem {
  const { column, value, reason, date } = row;
  const detail = `${column === null ? '' : `column ${column}, `}"${value}": ${reason}`;
  const facts = { ...FILE, code: 'unparsed' as const, field: column, theirs: value, detail };
  const firstSeen = date === null || date > until ? endIn(covers, until) : date;
  return fileItem(file, { facts, firstSeen, row, names: rowName(row), ...placed });
}

/** Whether a row is of a day after the period, of a file that goes on until then: it stands in the period of that day. */
export function isAfter({ date }: UnparsedRow, covers: AccountFile['covers'], until: string): boolean {
  return date !== null && date > until && covers !== null && covers.to > until;
}

/** When something of a file without a day of its own stands in a period: at the end of the file, or of the period that comes first. */
export function endIn(covers: AccountFile['covers'], until: string): string {
  return covers === null || covers.to > until ? until : covers.to;
}

/** A total or balance that the file states, and its lines do not make. It names the file and the cell, as the import does. */
export function controlBreak(book: BookFile, check: ControlCheck, placed: Placed): FileItem {
  const { sha256, name } = book.file;
  const row = check.row === null ? null : { row: check.row, fingerprint: '', occurrence: 0 };
  return fileItem(book, { facts: controlFacts(name, check), row, names: `${sha256} ${check.control}`, ...placed });
}

export function controlFacts(
  file: string,
  { control, stated, computed, cell, row }: Omit<ControlCheck, 'currency'>,
): BreakFacts {
  const shown = (value: bigint) => (control === 'rows' ? String(value) : amountOfMinor(value));
  const rows = row === null ? `row ${cell.row}` : `from row ${row} on`;
  return {
    ...{ ...FILE, code: 'control_mismatch', field: control, ours: shown(computed), theirs: shown(stated) },
    detail: `${file}, ${rows}, column ${cell.column}`,
  };
}
