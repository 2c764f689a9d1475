import type { Expected } from '../../../src/domain/expectations/expectation-input.ts';
import { parseAmount } from '../../../src/domain/money/amount.ts';
import { START_MS } from '../../support/fixed-clock.ts';
import type { Handle } from './handle.ts';

/* What a guarantee does with expectations, through the port. */

export const DAY_MS = 86_400_000;
export const expected = (reference: string, over: Partial<Expected> = {}): Expected => ({
  kind: 'payout',
  environment: 'test',
  reference,
  amount: parseAmount('100.00'),
  currency: 'NGN',
  expectedByMs: null,
  ...over,
});
export const late = expected('P1', { expectedByMs: START_MS + DAY_MS });
export const track = async (handle: Handle, ...all: readonly Expected[]) =>
  (await handle.operations()).tracking.track({ expected: all });
export const review = async (handle: Handle) => (await handle.operations()).tracking.review();
