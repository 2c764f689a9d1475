import type { BreakFacts, Side } from '../reconciling/break.ts';
import type { Leg, OurKind } from '../reconciling/rules.ts';
import type { Posting } from './postings.ts';
import type { OurRow, TheirLine } from './rows.ts';

/** What holds while the rows of one leg are judged. */
export interface Terms {
  /** The last day that counts: rows after it are known, and belong to a later period. */
  readonly until: string;
  /** The first day that statements of an account cover, or of any account of the side: what moved before it is in its opening balance. */
  readonly shownFrom: (account: string | undefined) => string;
  /** What had to come by this day is overdue. */
  readonly judgedDay: string;
  /** The last day on which the other side of a row may appear. */
  readonly dueDay: (row: OurRow) => string;
  /** The last day on which what may come up to a day is in time. */
  readonly dueAfter: (day: string) => string;
  readonly compare: Leg['compare'];
  /** A ledger holds sales as they were asked for, and says of charges only what it books. */
  readonly isLedger: boolean;
  /** A wallet shows what refunds hold while they are not settled; books and banks know payments alone. */
  readonly showsHolds: boolean;
  /** Fees are charged in lines of their own, for the payments of some days together. */
  readonly isInvoiced: boolean;
  /** How the account moves with a batch or top-up that brings money: the wallet pays a batch, the bank receives it. */
  readonly direction: 1n | -1n;
  /** The tax that the schedule puts on a fee; null: no schedule says it. */
  readonly taxOn: (row: OurRow, fee: bigint) => bigint | null;
  /** The tax inside our fees, where the schedule explains them and the lines of the account tell tax apart; else 0. */
  readonly taxWithin: (row: OurRow) => bigint;
}

/** One thing that a group of rows does not agree about. */
export interface Verdict extends BreakFacts {
  /** What it adds to the balance by them, less the balance by us, in minor units. */
  readonly effect: bigint;
  readonly line: TheirLine | null;
  readonly candidates: readonly TheirLine[];
  /** Null: it was never due. */
  readonly dueDay: string | null;
}

/** What is to be said of a row of ours and the lines that name it. */
export interface Judgement {
  readonly verdicts: readonly Verdict[];
  /** They belong together, whether or not they agree. */
  readonly isMatched: boolean;
  /** Copies, or lines of which nothing tells which is right: they confirm nothing, and what they charge is no charge of the row. */
  readonly doubtful: readonly TheirLine[];
  /** What moved the balance by us, and by them, up to `until`. */
  readonly ours: readonly Posting[];
  readonly theirs: readonly Posting[];
  /** What of `terms.isInvoiced` it is to be charged together with others; in no posting, and no effect. */
  readonly chargedApart: readonly InvoicedFee[];
}

/** A fee that is charged together with those of other rows. */
export interface InvoicedFee {
  readonly kind: OurKind;
  readonly day: string;
  /** Positive when charged. */
  readonly minor: bigint;
}

/** What verdicts come to: what they add to the balance by them, less the balance by us. */
export function effectsOf(verdicts: readonly Pick<Verdict, 'effect'>[]): bigint {
  return verdicts.reduce((sum, { effect }) => sum + effect, 0n);
}

export const PAIR = {
  sub: null,
  side: 'ours' as Side,
  field: null,
  line: null,
  candidates: [] as readonly TheirLine[],
  dueDay: null,
  detail: null,
};
