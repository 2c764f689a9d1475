import type { OurRow, TheirLine } from '../../../src/domain/matching/rows.ts';
import type { Terms, Verdict } from '../../../src/domain/matching/terms.ts';
import { amountOfMinor, formatAmount, isAmount, parseAmount, toMinor } from '../../../src/domain/money/amount.ts';
import type { OurKind } from '../../../src/domain/reconciling/rules.ts';
import type { LineType } from '../../../src/domain/statements/lines.ts';

/* Rows and lines of one group, for tests of the judgement. Money is decimal text: '100.00'. */

export const minor = (text: string): bigint => toMinor(parseAmount(text));

export interface RowParts {
  readonly amount?: string;
  readonly requested?: string;
  readonly fees?: string;
  readonly duty?: string;
  readonly reserved?: string;
  readonly startDay?: string;
  readonly day?: string;
  readonly isDayLearnt?: boolean;
  readonly transactionReference?: string | null;
}

const minorOrNull = (text: string | undefined) => (text === undefined ? null : minor(text));

export function ourRow(kind: OurKind, status: string | null, parts: RowParts): OurRow {
  const { amount, requested, fees, duty, reserved, day = '2026-10-10', startDay = day, isDayLearnt = false } = parts;
  const { transactionReference = null } = parts;
  return {
    ...{ id: 1, kind, environment: 'test', currency: 'NGN', reference: 'A', status, recordId: 1, channel: null },
    ...{ amount: minorOrNull(amount), requested: minorOrNull(requested), fees: minorOrNull(fees) },
    ...{ duty: minorOrNull(duty), reserved: minorOrNull(reserved), startDay, day, isDayLearnt },
    ...{ transactionReference, direction: 1n },
  };
}

export interface LineParts {
  readonly principal?: string;
  readonly fee?: string;
  readonly tax?: string;
  readonly duty?: string;
  readonly date?: string;
  readonly row?: number;
  readonly transactionReference?: string | null;
}

/** A line that moves the balance by `amount`; without columns of charges its principal is that amount. */
export function theirLine(type: LineType, amount: string, parts: LineParts = {}): TheirLine {
  const { principal, fee, tax, duty, date = '2026-10-10', row = 2, transactionReference = null } = parts;
  const charges = [fee, tax, duty].reduce((sum, one) => sum + (minorOrNull(one) ?? 0n), 0n);
  const whole = minor(amount) + charges;
  return {
    ...{ id: row, account: 'wallet', type, currency: 'NGN', date, amount: minor(amount) },
    principal: principal === undefined ? (whole < 0n ? -whole : whole) : minor(principal),
    ...{ fee: minorOrNull(fee), tax: minorOrNull(tax), duty: minorOrNull(duty) },
    ...{
      reference: 'A',
      transactionReference,
      postsOn: null,
      statement: 1,
      row,
      fingerprint: String(row).padStart(4, '0'),
      occurrence: 1,
      pass: 'reference',
    },
  };
}

/** October, judged when all of it is due. */
export function octoberTerms(more: Partial<Terms> = {}): Terms {
  return {
    until: '2026-10-31',
    shownFrom: () => '',
    judgedDay: '2026-10-31',
    dueDay: ({ day }) => day,
    dueAfter: (day) => day,
    compare: { fee: { minor: 0n }, tax: { minor: 0n }, duty: { minor: 0n } },
    isLedger: false,
    showsHolds: true,
    isInvoiced: false,
    direction: -1n,
    taxOn: () => null,
    taxWithin: () => 0n,
    ...more,
  };
}

/** What a verdict says: `CODE[/SUB] OURS THEIRS EFFECT`; `-` is nothing. */
export function said({ code, sub, ours, theirs, effect }: Verdict): string {
  const shown = (value: Verdict['ours']) => (isAmount(value) ? formatAmount(value) : (value ?? '-'));
  return `${code}${sub === null ? '' : `/${sub}`} ${shown(ours)} ${shown(theirs)} ${formatAmount(amountOfMinor(effect))}`;
}
