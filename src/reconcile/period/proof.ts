import type { Environment } from '../../domain/environment.ts';
import type { Book } from '../../domain/matching/book.ts';
import { PROOF_ROWS, type ProofRow } from '../../domain/statements/lines.ts';
import type { BookBalance } from '../balance/balance.ts';

/** What the files of the account state. */
type StatedBalances = Pick<BookBalance, 'opening' | 'closing' | 'covers'>;

/** Opening and movements make the closing balance, by us and by the statement. Minor units. */
export interface BalanceProof {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly rows: readonly ProofLine[];
  /** Some statement states a balance; without one both begin at 0.00. */
  readonly isBalanceStated: boolean;
  /** Days of the period that statements cover: the first and the last. */
  readonly covers: { readonly from: string; readonly to: string };
  /**
   * What the effects of breaks, timing and suggestions leave of the difference; where that is nothing, what the rows by them lack of the
   * closing balance that the files state.
   */
  readonly unexplained: bigint;
}

export interface ProofLine {
  readonly name: ProofRow | 'opening' | 'closing';
  readonly ours: bigint;
  readonly theirs: bigint;
}

export interface Openings {
  readonly ours: bigint;
  readonly theirs: bigint;
}

/**
 * The opening balances of an account, by us: what the period before closed with, else what `reconcile.begin` says and what moved
 * since, else the statement's own. What came late for a closed period is no part of either side: it posts on the first day.
 */
export function openingsOf(
  book: Book,
  stated: StatedBalances,
  own: { readonly closed: Openings | null; readonly begun: bigint | null },
): Openings {
  if (own.closed !== null) return own.closed;
  if (own.begun === null) return { ours: stated.opening ?? 0n, theirs: stated.opening ?? 0n };
  return {
    ours: own.begun + book.before('ours'),
    theirs: stated.opening ?? own.begun + book.before('theirs'),
  };
}

/**
 * The closing balance by them is the one that the files state, which no step of the run makes (docs/matching.md, Laws). Where none does, it
 * is what the rows make, as it is by us.
 */
export function proofOf(book: Book, stated: StatedBalances, { ours, theirs }: Openings): BalanceProof {
  const opening = { name: 'opening' as const, ours, theirs };
  const rows = PROOF_ROWS.map((name) => ({
    name,
    ours: book.row('ours', name),
    theirs: book.row('theirs', name),
  }));
  const made = { ours: opening.ours, theirs: opening.theirs };
  for (const { ours, theirs } of rows) {
    made.ours += ours;
    made.theirs += theirs;
  }
  const closing = { name: 'closing' as const, ours: made.ours, theirs: stated.closing ?? made.theirs };
  const left = closing.theirs - closing.ours - book.effects;
  return {
    ...book.name,
    rows: [opening, ...rows, closing],
    isBalanceStated: stated.opening !== null,
    covers: stated.covers,
    unexplained: left === 0n ? closing.theirs - made.theirs : left,
  };
}
