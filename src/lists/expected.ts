import type { Expectation } from '../domain/expectations/expectation.ts';
import { formatAmount } from '../domain/money/amount.ts';
import { type ShownTimes, shownDetail } from '../domain/text/shown-detail.ts';
import type { ExpectationSummary } from '../store/tracking.ts';
import { count, type ListColumn, long, status, text } from './column.ts';

// What was expected, and what became of it.

export function expectedColumns(times: ShownTimes): ListColumn<ExpectationSummary>[] {
  return [
    count('Id', ({ id }) => id, { leaveOut: 3 }),
    text('Env', ({ environment }) => environment, { leaveOut: 2 }),
    text('Record', ({ kind, reference }) => `${kind} ${reference}`),
    text('Expected', (one) => expectedText(one, times)),
    status('State', ({ state }) => state, { mark: ({ findings }) => (findings.length > 0 ? 'warn' : 'quiet') }),
    text('Status', ({ confirmed, reported }) => confirmed ?? (reported && `${reported} (reported)`), { leaveOut: 1 }),
    long('Findings', (one) => expectationFindings(one, times)),
  ];
}

/** `50.00 USD by 2026-11-30` */
export function expectedText({ amount, currency, expectedByMs }: Expectation, { deadline }: ShownTimes): string {
  const sum = [amount === null ? null : formatAmount(amount), currency].filter((part) => part !== null).join(' ');
  const by = expectedByMs === null ? '' : ` by ${deadline(expectedByMs)}`;
  return `${sum === '' ? 'any amount' : sum}${by}`;
}

export function expectationFindings({ findings }: ExpectationSummary, times: ShownTimes): string | null {
  return findings.map((finding) => shownDetail(finding, times)).join('; ') || null;
}
