import type { UnparsedRow } from '../../domain/statement.ts';
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
 * Whether a fuller export of its days speaks for a file with unreadable rows: it has all lines of the file and more, and for each
 * unreadable row either a line or the same unreadable row.
 */
export async function isOutdated(
  { archive, held }: FileReader,
  { file, rows, others, currency, until }: OutdatedOrder,
): Promise<boolean> {
  const { covers } = file;
  if (covers === null) return false;
  const linesBeside = async (statement: number, other: number) =>
    (await held.beside(statement, [other], covers)).reduce((sum, { lines }) => sum + lines, 0);
  for (const other of others) {
    // The closing balance of a file that ends later says nothing of this period: its unreadable rows have no value here.
    const isTold = other.unparsed === 0 || (other.covers?.to ?? '') <= until;
    // Counts tell most files apart, such as those of single days, without a look at their lines.
    if (!isTold || other.lines <= file.lines || !showsDaysOf(other, file, currency)) continue;
    if ((await linesBeside(other.statement, file.statement)) > 0) continue;
    const more = await linesBeside(file.statement, other.statement);
    const unread = new Set(other.unparsed === 0 ? [] : (await archive.unparsedRows(other.statement)).map(nameOf));
    const mended = rows.filter((row) => !unread.has(nameOf(row))).length;
    if (more > 0 && more >= mended) return true;
  }
  return false;
}

/** Whether a file covers all days of another one, or opens with its balance. */
function showsDaysOf(other: StatementSummary, file: StatementSummary, currency: string): boolean {
  if (other.covers === null || file.covers === null) return false;
  const [opening, own] = [balanceOf(other, currency)?.opening ?? null, balanceOf(file, currency)?.opening ?? null];
  if (opening !== null && opening === own) return true;
  if (other.covers.from === file.covers.from && opening !== null && own !== null) return false;
  return other.covers.from <= file.covers.from && other.covers.to >= file.covers.to;
}
