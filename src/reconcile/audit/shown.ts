import { type Amount, money } from '../../domain/money/amount.ts';
import type { AuditFigures } from './audit.ts';
import type { AuditLine } from './charge.ts';

// The audit as `reconcile --json` shows it: amounts as decimal text.

/** A line of a claim. */
export function auditLineJson({ row, parts, charged, schedule, difference, reason }: AuditLine) {
  const { environment, account, kind, channel, currency, reference, day, amount, line } = row;
  return {
    environment,
    account,
    kind,
    channel,
    currency,
    reference,
    date: day,
    amount: money(amount),
    charged: money(charged),
    schedule: money(schedule),
    difference: money(difference),
    reason,
    parts: parts.map((one) => ({
      part: one.part,
      charged: money(one.charged),
      schedule: money(one.schedule),
    })),
    line,
  };
}

/** The figures of an audit: sums, totals by month, and what the schedule does not say. */
export function auditFiguresJson({ sums, totals, unscheduled }: AuditFigures) {
  return { sums: sums.map(withText), totals: totals.map(withText), unscheduled: unscheduled.map(withText) };
}

/** A row with its amounts as text: every bigint is one, in minor units. */
export type WithText<Row> = { readonly [Name in keyof Row]: Row[Name] extends bigint | Amount ? string : Row[Name] };

function withText<Row extends object>(row: Row): WithText<Row> {
  const entries = Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? money(value) : value]);
  return Object.fromEntries(entries) as WithText<Row>;
}
