import type { MovedDay, StatementSummary } from '../../store/statements.ts';
import type { HeldLines } from '../held-lines.ts';
import { balanceOf, type FileChain, sumOf } from './file-chain.ts';

/** What other files show of the days of a file with unreadable rows. */
export interface Mended {
  /** What these lines moved. */
  readonly minor: bigint;
  readonly lines: number;
  /** Of `minor`, what came after the close of its days: it posts on the first open day. */
  readonly late: bigint;
}

const NOTHING: Mended = { minor: 0n, lines: 0, late: 0n };

interface MendOrder {
  readonly chain: FileChain;
  readonly currency: string;
  /** Statements that came after the close of their account. */
  readonly late: ReadonlySet<number>;
}

/**
 * What other files show of the days of this one and it does not: its closing balance holds it, so that an unreadable row is the
 * less of it. A file that goes on where this one ends shows nothing of its days.
 */
export async function mendedBeside(
  held: HeldLines,
  file: StatementSummary,
  { chain, currency, late }: MendOrder,
): Promise<Mended> {
  const { statement, covers } = file;
  if (covers === null) return NOTHING;
  const others = chain.files.filter((one) => one !== file && isWithin(one, file, currency));
  const shown = async (some: readonly StatementSummary[]): Promise<readonly MovedDay[]> => {
    const numbers = some.map((one) => one.statement);
    return numbers.length === 0 ? [] : await held.beside(statement, numbers, covers);
  };
  const all = await shown(others);
  const before = chain.before(file);
  const lines = all.reduce((sum, one) => sum + one.lines, 0) - before.reduce((sum, one) => sum + one.lines, 0);
  const lateOnes = await shown(others.filter((one) => late.has(one.statement)));
  const minor = sumOf(all) - sumOf(before);
  return late.has(statement) ? { minor, lines, late: 0n } : { minor, lines, late: sumOf(lateOnes) };
}

function isWithin({ covers, ...one }: StatementSummary, file: StatementSummary, currency: string): boolean {
  if (covers === null || file.covers === null) return false;
  const { from, to } = file.covers;
  if (covers.to < from || covers.from > to) return false;
  if (covers.from < to) return true;
  const opening = one.balances.find((balance) => balance.currency === currency)?.opening ?? null;
  return covers.to === to && (opening === null || opening !== (balanceOf(file, currency)?.closing ?? null));
}
