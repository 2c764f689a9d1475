import { feeSchedule } from '../../domain/money/fee-schedule.ts';
import type { FeeRule } from '../../domain/reconciling/rules.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import type { AuditLine, ChargedRow } from './charge.ts';
import { judgedParts, lineOf } from './judge.ts';
import { type AuditSum, addToMonth, addToSum, type ChargeTotal, type Unscheduled, unscheduledOf } from './sums.ts';

/** What an audit found, without its lines; every list in a stable order. */
export interface AuditFigures {
  readonly sums: readonly Readonly<AuditSum>[];
  readonly totals: readonly Readonly<ChargeTotal>[];
  readonly unscheduled: readonly Readonly<Unscheduled>[];
}

export interface Audit extends AuditFigures {
  readonly lines: readonly AuditLine[];
}

/** Judges row by row, and adds up. Memory grows with months, channels and currencies, not with rows. */
export interface Auditor {
  /** Returns the line of the claim; null when there is nothing to claim. */
  readonly judge: (row: ChargedRow) => AuditLine | null;
  readonly figures: () => AuditFigures;
}

export function auditor(schedule: readonly FeeRule[]): Auditor {
  const tariffOn = feeSchedule(schedule);
  const sums = new Map<string, AuditSum>();
  const totals = new Map<string, ChargeTotal>();
  const unscheduled = new Map<string, Unscheduled>();
  return {
    judge(row) {
      const { environment, kind, channel, currency, day } = row;
      const tariff = tariffOn(row);
      const parts = tariff === null ? null : judgedParts(row, tariff);
      const line = parts === null ? null : lineOf(row, parts);
      const sum = entryOf(sums, [environment, currency], () => ({ environment, currency, ...NO_SUM }));
      addToSum(sum, line, parts);
      const month = day.slice(0, 7);
      const what = [kind, channel === null ? '' : `in ${channel}`];
      const total = entryOf(totals, [environment, currency, month, ...what], () => {
        return { environment, currency, month, kind, channel, ...NO_TOTAL };
      });
      addToMonth(total, row, line, tariff);
      for (const { missing, charged } of unscheduledOf(row, tariff)) {
        const found = entryOf(unscheduled, [environment, currency, ...what, missing], () => {
          return { environment, currency, kind, channel, missing, rows: 0, charged: 0n, from: day, to: day };
        });
        found.rows++;
        found.charged += charged;
        if (day < found.from) found.from = day;
        if (day > found.to) found.to = day;
      }
      return line;
    },
    figures: () => ({ sums: inOrder(sums), totals: inOrder(totals), unscheduled: inOrder(unscheduled) }),
  };
}

/** Audits all rows, and keeps the lines of the claim, ordered by environment, currency, day and reference. */
export async function auditCharges(
  batches: AsyncIterable<readonly ChargedRow[]>,
  schedule: readonly FeeRule[],
): Promise<Audit> {
  const { judge, figures } = auditor(schedule);
  const lines: AuditLine[] = [];
  for await (const rows of batches) {
    for (const row of rows) {
      const line = judge(row);
      if (line !== null) lines.push(line);
    }
  }
  return { lines: lines.sort(compareLines), ...figures() };
}

/** The order of a claim: by what the rows say, never by arrival. */
export function compareLines({ row: one }: AuditLine, { row: other }: AuditLine): number {
  return (
    compareTexts(one.environment, other.environment) ||
    compareTexts(one.currency, other.currency) ||
    compareTexts(one.day, other.day) ||
    compareTexts(one.reference, other.reference) ||
    compareTexts(one.kind, other.kind) ||
    compareTexts(one.account ?? '', other.account ?? '') ||
    (one.line?.statement ?? 0) - (other.line?.statement ?? 0) ||
    (one.line?.row ?? 0) - (other.line?.row ?? 0)
  );
}

const NO_SUM = {
  rows: 0,
  agreed: 0,
  withoutRule: 0,
  unstated: 0,
  overLines: 0,
  overcharged: 0n,
  underLines: 0,
  undercharged: 0n,
  difference: 0n,
};
const NO_TOTAL = { rows: 0, amount: 0n, fee: 0n, tax: 0n, duty: 0n, undivided: 0, difference: 0n };

/** Names of entries: no text of a record holds this sign. */
const BETWEEN = '\0';

function entryOf<Entry>(entries: Map<string, Entry>, names: readonly string[], make: () => Entry): Entry {
  const key = names.join(BETWEEN);
  const known = entries.get(key);
  if (known !== undefined) return known;
  const made = make();
  entries.set(key, made);
  return made;
}

function inOrder<Entry>(entries: ReadonlyMap<string, Entry>): Entry[] {
  return [...entries].sort(([one], [other]) => compareTexts(one, other)).map(([, entry]) => entry);
}
