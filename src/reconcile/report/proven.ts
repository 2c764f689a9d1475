import type { Environment } from '../../domain/environment.ts';

interface Book {
  readonly environment: Environment;
  /** Null: no account. */
  readonly account: string | null;
  readonly currency: string | null;
}

/** Whether what stands in a book adds to a balance that the report proves. */
export type MovesBalance = (book: Book) => boolean;

/**
 * Tells which accounts and currencies have a balance proof. Accounts without one, such as settlement statements that state no
 * balance, show money that moves in a wallet: their effects are part of no difference of closing balances.
 */
export function movesBalance(proof: readonly Book[]): MovesBalance {
  const proven = new Set(proof.map(keyOf));
  return (book) => proven.has(keyOf(book));
}

function keyOf({ environment, account, currency }: Book): string {
  return JSON.stringify([environment, account, currency]);
}
