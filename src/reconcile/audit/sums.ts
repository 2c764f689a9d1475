import type { Tariff } from '../../domain/money/fee-schedule.ts';
import type { AuditLine, ChargedRow, JudgedPart } from './charge.ts';

/** How the rows of an environment and currency fared. */
export interface AuditSum extends Pick<ChargedRow, 'environment' | 'currency'> {
  rows: number;
  /** Of these, rows of which all that could be judged is as the schedule says. */
  agreed: number;
  /** Rows for which the schedule has no rule. */
  withoutRule: number;
  /** Rows that a rule is for, and that state nothing it could be held against. */
  unstated: number;
  overLines: number;
  overcharged: bigint;
  underLines: number;
  undercharged: bigint;
  /** overcharged − undercharged: what is to claim. */
  difference: bigint;
}

/** What was charged in a month: to hold against the service's own invoice. */
export interface ChargeTotal extends Pick<ChargedRow, 'environment' | 'kind' | 'channel' | 'currency'> {
  /** `yyyy-MM`. */
  readonly month: string;
  rows: number;
  amount: bigint;
  fee: bigint;
  tax: bigint;
  duty: bigint;
  /** Rows whose `fee` may hold a tax as well: it is not said apart, and their sum is not that of the schedule. */
  undivided: number;
  /** charged − schedule. */
  difference: bigint;
}

/** What was charged without a word of the schedule about it: judged nowhere. */
export interface Unscheduled extends Pick<ChargedRow, 'environment' | 'kind' | 'channel' | 'currency'> {
  /** `rule`: no rule holds on the day; `tax`, `duty`: the rule does not say it. */
  readonly missing: 'rule' | 'tax' | 'duty';
  rows: number;
  charged: bigint;
  /** The first and the last day of them. */
  from: string;
  to: string;
}

/** Adds a row to the sum of its environment and currency. */
export function addToSum(sum: AuditSum, line: AuditLine | null, parts: readonly JudgedPart[] | null): void {
  sum.rows++;
  if (parts === null) sum.withoutRule++;
  else if (parts.length === 0) sum.unstated++;
  else if (line === null) sum.agreed++;
  const difference = line?.difference ?? 0n;
  sum.difference += difference;
  if (difference > 0n) {
    sum.overLines++;
    sum.overcharged += difference;
  } else if (difference < 0n) {
    sum.underLines++;
    sum.undercharged -= difference;
  }
}

/** Adds a row to its month. A fee with tax that is as the schedule says is divided as the schedule does. */
export function addToMonth(total: ChargeTotal, row: ChargedRow, line: AuditLine | null, tariff: Tariff | null): void {
  const { amount, fee, tax, duty } = row;
  total.rows++;
  total.amount += amount;
  total.duty += duty ?? 0n;
  total.difference += line?.difference ?? 0n;
  const inside = fee === null || tax !== null ? 0n : taxInside(fee, amount, tariff);
  total.fee += (fee ?? 0n) - (inside ?? 0n);
  total.tax += (tax ?? 0n) + (inside ?? 0n);
  if (inside === null) total.undivided++;
}

/** Returns the tax inside a fee that states none apart; null when it cannot be known. */
function taxInside(fee: bigint, amount: bigint, tariff: Tariff | null): bigint | null {
  if (fee === 0n) return 0n;
  return tariff === null ? null : tariff.taxInside(fee, amount);
}

/** Returns what a row was charged without a word of the schedule. */
export function unscheduledOf(
  { fee, tax, duty }: ChargedRow,
  tariff: Tariff | null,
): Pick<Unscheduled, 'missing' | 'charged'>[] {
  if (tariff === null) return [{ missing: 'rule', charged: (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n) }];
  const { rule } = tariff;
  const found: Pick<Unscheduled, 'missing' | 'charged'>[] = [];
  if (rule.tax === null && tax !== null && tax !== 0n) found.push({ missing: 'tax', charged: tax });
  if (rule.duty === null && duty !== null && duty !== 0n) found.push({ missing: 'duty', charged: duty });
  return found;
}
