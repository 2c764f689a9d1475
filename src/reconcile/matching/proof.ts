import type { Environment } from '../../domain/environment.ts';
import { PROOF_ROWS, type ProofRow } from '../../domain/matching/postings.ts';
import type { Book } from './book.ts';
import type { StatedBalances } from './files.ts';

/** Opening and movements make the closing balance, by us and by the statement. Minor units. */
export interface BalanceProof {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly rows: readonly ProofLine[];
  /** Some statement states a balance; without one both begin at 0.00. */
  readonly isBalanceStated: boolean;
  /** What the effects of breaks, timing and suggestions leave of the difference. */
  readonly unexplained: bigint;
}

export interface ProofLine {
  readonly name: ProofRow | 'opening' | 'closing';
  readonly ours: bigint;
  readonly theirs: bigint;
}

export function proofOf(book: Book, stated: StatedBalances, ownOpening: bigint | null): BalanceProof {
  const opening = {
    name: 'opening' as const,
    ours: ownOpening === null ? (stated.opening ?? 0n) : ownOpening + book.before('ours'),
    theirs: stated.opening ?? (ownOpening === null ? 0n : ownOpening + book.before('theirs')),
  };
  const rows = PROOF_ROWS.map((name) => ({
    name,
    ours: book.row('ours', name),
    theirs: book.row('theirs', name) + (name === 'other' ? stated.residue : 0n),
  }));
  const closing = { name: 'closing' as const, ours: opening.ours, theirs: opening.theirs };
  for (const { ours, theirs } of rows) {
    closing.ours += ours;
    closing.theirs += theirs;
  }
  return {
    ...book.name,
    rows: [opening, ...rows, closing],
    isBalanceStated: stated.opening !== null,
    unexplained: closing.theirs - closing.ours - book.effects,
  };
}
