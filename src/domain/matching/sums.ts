import { magnitude } from '../money/amount.ts';
import type { OurKind } from '../reconciling/rules.ts';
import { RECORD_KINDS } from '../records/lifecycle.ts';
import { LINE_TYPES, LINES, typesOf } from '../statements/lines.ts';
import { PRINCIPAL_TYPE, type TheirLine } from './rows.ts';

/** What the lines of one group say, by component. Signed as they move the balance, but for charges. */
export interface Sums {
  /** What moves the balance beside charges, reversals and holds. */
  readonly principal: bigint;
  /** Lines of the row's own type. */
  readonly principalLines: readonly TheirLine[];
  /** All lines but reversals and holds. */
  readonly ownLines: readonly TheirLine[];
  /** What they move, charges included. */
  readonly net: bigint;
  /** Positive when charged; null: no line says it. */
  readonly fee: bigint | null;
  readonly tax: bigint | null;
  readonly duty: bigint | null;
  /** Some line tells the amount from its charges. */
  readonly saysCharges: boolean;
  readonly reversal: bigint;
  readonly reversalLines: readonly TheirLine[];
  /** Reserved and not released; positive while it is held. */
  readonly held: bigint;
  readonly reserveLines: readonly TheirLine[];
}

export const RESERVE_TYPES = typesOf('hold');
export const CHARGEBACK_TYPES = typesOf('chargeback');
/** What came back may be paid again. */
export const PAID_BACK_TYPES = RECORD_KINDS.map((kind) =>
  LINE_TYPES.filter((type) => LINES[type].of === kind && LINES[type].part !== 'hold'),
);

export function isCharge({ type }: Pick<TheirLine, 'type'>): boolean {
  return LINES[type].part === 'charge';
}

export function isReversal({ type }: Pick<TheirLine, 'type'>): boolean {
  return LINES[type].part === 'reversal';
}

function isReserve({ type }: TheirLine): boolean {
  return LINES[type].part === 'hold';
}

export function sumsOf(kind: OurKind, lines: readonly TheirLine[]): Sums {
  const reversalLines = lines.filter(isReversal);
  // Only refunds are held.
  const reserveLines = kind === 'refund' ? lines.filter(isReserve) : [];
  const principalLines = lines.filter(({ type }) => type === PRINCIPAL_TYPE[kind]);
  const ownLines = lines.filter((line) => !isReversal(line) && !reserveLines.includes(line));
  const [fee, tax, duty] = (['fee', 'tax', 'duty'] as const).map((charge) => chargeOf(charge, ownLines));
  const saysCharges = fee !== null || tax !== null || duty !== null || principalLines.some(isGross);
  return {
    principal: total(ownLines, (line) => (isCharge(line) ? 0n : line.amount + chargesOf(line))),
    principalLines,
    ownLines,
    net: total(ownLines, ({ amount }) => amount),
    fee: fee ?? null,
    tax: tax ?? null,
    duty: duty ?? null,
    saysCharges,
    reversal: total(reversalLines, ({ amount }) => amount),
    reversalLines,
    held: -total(reserveLines, ({ amount }) => amount),
    reserveLines,
  };
}

/** Charges of a line, as its own columns give them. */
export function chargesOf({ fee, tax, duty }: TheirLine): bigint {
  return (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n);
}

/** Whether a line tells its amount before charges from the one after them. */
export function isGross({ amount, principal }: TheirLine): boolean {
  return magnitude(amount) !== principal;
}

/** A charge is a column of a line, or a line of its own. */
function chargeOf(charge: 'fee' | 'tax' | 'duty', lines: readonly TheirLine[]): bigint | null {
  let sum: bigint | null = null;
  for (const line of lines) {
    const column = line[charge];
    if (column !== null) sum = (sum ?? 0n) + column;
    if (line.type === charge) sum = (sum ?? 0n) - line.amount - chargesOf(line);
  }
  return sum;
}

function total(lines: readonly TheirLine[], value: (line: TheirLine) => bigint): bigint {
  return lines.reduce((sum, line) => sum + value(line), 0n);
}
