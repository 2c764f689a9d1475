import type { UnparsedRow } from '../../domain/statements/statement.ts';
import type { StatementArchive, StatementSummary } from '../../store/statements.ts';
import type { HeldLines } from '../held-lines.ts';
import { balanceOf } from './file-chain.ts';
import { nameOf } from './unread-rows.ts';

/** What the files of one account and currency hold. */
export interface FileReader {
  readonly archive: Pick<StatementArchive, 'unparsedRows'>;
  readonly held: HeldLines;
}

interface OutdatedOrder {
  readonly file: StatementSummary;
  /** Its unreadable rows. */
  readonly rows: readonly UnparsedRow[];
  readonly others: readonly StatementSummary[];
  readonly currency: string;
  /** The last day of the period. */
  readonly until: string;
}

/**
 * Whether a fuller export of its days, or of those from its first unreadable row on, speaks for a file with unreadable rows: it has all
 * lines of the file of these days and more, and for each unreadable row either a line or the same unreadable row.
 */
export async function isOutdated(
  { archive, held }: FileReader,
  { file, rows, others, currency, until }: OutdatedOrder,
): Promise<boolean> {
  const { covers } = file;
  if (covers === null) return false;
  for (const other of others) {
    const isWhole = other.lines > file.lines && showsDaysOf(other, file, currency);
    const days = isWhole ? covers : daysFromFirst(rows, other, file);
    const linesBeside = async (statement: number, one: number) =>
      days === null ? 0 : (await held.beside(statement, [one], days)).reduce((sum, { lines }) => sum + lines, 0);
    // The closing balance of a file that ends later says nothing of this period: its unreadable rows have no value here.
    const isTold = other.unparsed === 0 || (other.covers?.to ?? '') <= until;
    // Counts and days tell most files apart, such as those of single days, without a look at their lines.
    if (!isTold || days === null) continue;
    if ((await linesBeside(other.statement, file.statement)) > 0) continue;
    const more = await linesBeside(file.statement, other.statement);
    const unread = new Set(other.unparsed === 0 ? [] : (await archive.unparsedRows(other.statement)).map(nameOf));
    const mended = rows.filter((row) => !unread.has(nameOf(row))).length;
    if (more > 0 && more >= mended) return true;
  }
  return false;
}

/**
 * The days of a file from the first one of another on, which begins within it, has no unreadable row and ends no earlier; null: it shows
 * not every day of these rows, or a row has no date.
 */
function daysFromFirst(
  rows: readonly UnparsedRow[],
  other: StatementSummary,
  file: StatementSummary,
): StatementSummary['covers'] {
  if (other.covers === null || file.covers === null || other.unparsed > 0) return null;
  const { from, to } = other.covers;
  const showsRows = rows.every(({ date }) => date !== null && date > from);
  return showsRows && from > file.covers.from && to >= file.covers.to ? { from, to: file.covers.to } : null;
}

/** Whether a file covers all days of another one, or opens with its balance. */
function showsDaysOf(other: StatementSummary, file: StatementSummary, currency: string): boolean {
  if (other.covers === null || file.covers === null) return false;
  const [opening, own] = [balanceOf(other, currency)?.opening ?? null, balanceOf(file, currency)?.opening ?? null];
  if (opening !== null && opening === own) return true;
  if (other.covers.from === file.covers.from && opening !== null && own !== null) return false;
  return other.covers.from <= file.covers.from && other.covers.to >= file.covers.to;
}
