import type { Book } from './book.ts';
import { isInMonth } from './days.ts';
import { sumOf } from './money.ts';
import { type AccountName, PROOF_ROWS, type ProofRow } from './story.ts';

export interface ExpectedProof {
  readonly account: AccountName;
  readonly rows: ReadonlyMap<ProofRow, { readonly ours: bigint; readonly theirs: bigint }>;
  /** Of breaks, timing and suggestions of this account. */
  readonly effects: bigint;
}

/** The balance proof of an account: both sides' rows from its opening to its closing, and what the items explain. */
export function proofOf(book: Book, account: AccountName, opening: bigint): ExpectedProof {
  const ours = rowsOf(book.ours, account, opening);
  const theirs = rowsOf(book.theirs, account, opening);
  for (const { account: of, by, day } of book.misstated) {
    if (of !== account || !isInMonth(day)) continue;
    theirs.set('other', (theirs.get('other') ?? 0n) + by);
    theirs.set('closing', (theirs.get('closing') ?? 0n) + by);
  }
  const items = book.expected.filter(
    (item) => item.account === account.name && item.environment === account.environment,
  );
  const effects = sumOf(items.map(({ effect = 0n }) => effect));
  const rows = PROOF_ROWS.map((row) => [row, { ours: ours.get(row) ?? 0n, theirs: theirs.get(row) ?? 0n }] as const);
  return { account, rows: new Map(rows), effects };
}

function rowsOf(postings: Book['ours'], account: AccountName, opening: bigint): Map<ProofRow, bigint> {
  const rows = new Map<ProofRow, bigint>([
    ['opening', opening],
    ['closing', opening],
  ]);
  for (const { account: of, row, amount, day } of postings) {
    if (of !== account || !isInMonth(day)) continue;
    rows.set(row, (rows.get(row) ?? 0n) + amount);
    rows.set('closing', (rows.get('closing') ?? 0n) + amount);
  }
  return rows;
}
