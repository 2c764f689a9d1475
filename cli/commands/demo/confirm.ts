import type { Config } from '../../../src/config/load.ts';
import { checkParts } from '../../../src/confirm/parts.ts';
import { sweepOrderOf } from '../../../src/confirm/settings.ts';
import { type SweepOrder, sweep } from '../../../src/confirm/sweep.ts';
import type { SweepResult } from '../../../src/confirm/sweep-result.ts';
import { parseAmount } from '../../../src/domain/money/amount.ts';
import { storeOf } from '../../../src/store/configured-store.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { note } from '../../show/output.ts';
import { EXPECTED_ORDERS } from './day.ts';

/** Tracks the orders of the merchant's books before the day begins. */
export async function trackOrders(config: Config): Promise<void> {
  const operations = await storeOf(config).operations();
  try {
    const expected = EXPECTED_ORDERS.map(({ reference, amount, currency }) => ({
      kind: 'collection' as const,
      environment: 'test' as const,
      reference,
      amount: parseAmount(amount),
      currency,
      expectedByMs: null,
    }));
    await operations.tracking.track({ expected });
  } finally {
    await operations.close();
  }
}

/** Sweeps every record that is due after the day, without a limit per second. */
export async function sweepTheDay(config: Config): Promise<SweepResult> {
  const operations = await storeOf(config).operations();
  try {
    const { signal } = new AbortController();
    const parts = await checkParts(config, operations, { clock: systemClock, signal, cutOff: signal, onWarning: note });
    const order: SweepOrder = { ...sweepOrderOf(config), perSecond: null };
    return await sweep(order, parts);
  } finally {
    await operations.close();
  }
}
