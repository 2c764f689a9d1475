import type { OurKind } from '../reconciling/rules.ts';
import { LINES, type LineType, type ProofRow } from '../statements/lines.ts';
import { PRINCIPAL_TYPE, type TheirLine } from './rows.ts';

/** What moves a balance on a day: signed, in the row of the proof that it belongs to. */
export interface Posting {
  readonly row: ProofRow;
  readonly day: string;
  readonly minor: bigint;
  /** What a row of `reversals` takes back. */
  readonly reverses?: 'collection' | 'payout';
}

type MovingLine = Pick<TheirLine, 'type' | 'date' | 'amount' | 'fee' | 'tax' | 'duty'>;

/** The postings of a line; they add up to its amount. A charge is negative where it takes money away. */
export function linePostings(line: MovingLine, kind: OurKind | null): Posting[] {
  const { type, date: day, amount, fee, tax, duty } = line;
  const charges: readonly (readonly [ProofRow, bigint | null])[] = [
    [feeRow(kind ?? type), fee],
    ['tax', tax],
    ['duty', duty],
  ];
  const postings: Posting[] = [];
  let main = amount;
  for (const [row, charge] of charges) {
    if (charge === null || charge === 0n) continue;
    postings.push({ row, day, minor: -charge });
    main += charge;
  }
  const row = type === 'fee' ? feeRow(kind ?? type) : LINES[type].row;
  if (type === 'collection_reversal') postings.unshift({ row, day, minor: main, reverses: 'collection' });
  else if (type === 'payout_reversal') postings.unshift({ row, day, minor: main, reverses: 'payout' });
  else postings.unshift({ row, day, minor: main });
  return postings;
}

/** An amount as it moves the balance, and its charges: positive when charged. */
export interface Charged {
  readonly main: bigint;
  readonly fee?: bigint;
  readonly tax?: bigint;
  readonly duty?: bigint;
}

/** The postings of an amount with its charges, without those of zero. */
export function charged(kind: OurKind, day: string, { main, fee = 0n, tax = 0n, duty = 0n }: Charged): Posting[] {
  const all: Posting[] = [
    { row: LINES[PRINCIPAL_TYPE[kind]].row, day, minor: main },
    { row: feeRow(kind), day, minor: -fee },
    { row: 'tax', day, minor: -tax },
    { row: 'duty', day, minor: -duty },
  ];
  return all.filter(({ minor }) => minor !== 0n);
}

/** The fee of a refund stands in a row of its own. */
export function feeRow(kind: OurKind | LineType): ProofRow {
  return kind === 'refund' || kind === 'refund_reversal' ? 'refund_fees' : 'fees';
}

/** What postings add up to, of days up to the last one. */
export function sumUntil(postings: readonly Pick<Posting, 'day' | 'minor'>[], last: string): bigint {
  let sum = 0n;
  for (const { day, minor } of postings) if (day <= last) sum += minor;
  return sum;
}
