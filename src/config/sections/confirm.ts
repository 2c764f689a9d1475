import { z } from 'zod';
import { section, wholeNumber } from '../settings.ts';

/** When the status of a record is checked, and how fast. */
export const confirm = section({
  concurrency: wholeNumber(1, 256, 16, 'Status checks under way at once.'),
  perSecond: wholeNumber(1, 10_000, 100, 'Requests to the service per second at most.'),
  leaseSeconds: wholeNumber(30, 3_600, 120, 'After this time another process may repeat an unfinished check.'),
  debounceSeconds: wholeNumber(0, 600, 2, 'News of a record makes it due after this time.'),
  unsettledMinutes: waits(
    [1, 5, 15, 60, 360, 1_440],
    'Minutes between checks of an unsettled record; the last repeats.',
  ),
  awaitingSettlementMinutes: wholeNumber(1, 10_080, 60, 'Minutes between checks of a refund that awaits settlement.'),
  watchDays: waits([1, 7, 30], 'Days after settling on which a payout or collection is checked again.'),
  unprovenMinutes: wholeNumber(1, 10_080, 60, 'Minutes between checks while their endpoint is unproven.'),
  attempts: wholeNumber(1, 1_000, 40, 'Checks without news before a record is stuck, which opens a finding.'),
  awaitingSettlementAttempts: wholeNumber(1, 10_000, 672, 'The same limit for a refund that awaits settlement.'),
  jitterPercent: wholeNumber(0, 100, 10, 'Waits are longer by a random share of up to this.'),
  breakerFailures: wholeNumber(1, 1_000, 5, 'Failures of the service in a row after which all checks pause.'),
  giveUpSeconds: wholeNumber(1, 3_600, 120, 'A sweep ends after an outage this long; due records stay due.'),
});

/** A list of growing whole numbers. */
function waits(standard: readonly number[], description: string) {
  const rule = 'must be a list of 1 to 20 growing whole numbers from 1 to 100000';
  const grows = (list: readonly number[]) => list.every((wait, index) => index === 0 || wait > (list[index - 1] ?? 0));
  return z
    .array(z.int(rule).min(1, rule).max(100_000, rule), rule)
    .min(1, rule)
    .max(20, rule)
    .refine(grows, rule)
    .default([...standard])
    .describe(description);
}
