import { z } from 'zod';
import { section, wholeNumber } from '../settings.ts';

/** When the status of a record is checked, and how fast. */
export const confirm = section({
  concurrency: wholeNumber(1, 256, 8, 'Questions to the service under way at once.'),
  perSecond: wholeNumber(1, 10_000, 50, 'Questions to the service per second at most.'),
  leaseSeconds: wholeNumber(30, 3_600, 120, 'A question that takes longer may be asked by another process.'),
  debounceSeconds: wholeNumber(0, 600, 2, 'News of a record makes it due after this time.'),
  unsettledMinutes: waits(
    [1, 5, 15, 60, 360, 1_440],
    'Minutes between questions about a record that is not settled; the last goes on.',
  ),
  awaitingSettlementMinutes: wholeNumber(
    1,
    10_080,
    60,
    'Minutes between questions about a refund that awaits settlement.',
  ),
  watchDays: waits([1, 7, 30], 'Days after settling on which a payout or collection is asked about again.'),
  unprovenMinutes: wholeNumber(
    1,
    10_080,
    60,
    'Minutes between questions to an endpoint that has never answered usably.',
  ),
  attempts: wholeNumber(1, 1_000, 40, 'Questions without news before a record is stuck and a person is told.'),
  awaitingSettlementAttempts: wholeNumber(1, 10_000, 672, 'The same for a refund that awaits settlement.'),
  jitterPercent: wholeNumber(0, 100, 10, 'Waits are longer by a random share of up to this.'),
  breakerFailures: wholeNumber(1, 1_000, 5, 'Failures of the service in a row after which asking rests as a whole.'),
  giveUpSeconds: wholeNumber(1, 3_600, 120, 'With the service down for so long a sweep ends; what is due stays due.'),
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
