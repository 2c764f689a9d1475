import type { AuditFigures } from './audit.ts';
import type { AuditLine } from './charge.ts';
import { minorText } from './judge.ts';

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
    amount: minorText(amount),
    charged: minorText(charged),
    schedule: minorText(schedule),
    difference: minorText(difference),
    reason,
    parts: parts.map((one) => ({
      part: one.part,
      charged: minorText(one.charged),
      schedule: minorText(one.schedule),
    })),
    line,
  };
}

/** The figures of an audit: sums, totals by month, and what the schedule does not say. */
export function auditFiguresJson({ sums, totals, unscheduled }: AuditFigures) {
  return { sums: sums.map(withText), totals: totals.map(withText), unscheduled: unscheduled.map(withText) };
}

/** Every bigint of an audit is an amount. */
type WithText<Row> = { [Name in keyof Row]: Row[Name] extends bigint ? string : Row[Name] };

function withText<Row extends object>(row: Row): WithText<Row> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? minorText(value) : value,
  ]);
  return Object.fromEntries(entries) as WithText<Row>;
}
