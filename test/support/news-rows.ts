import { openStore } from '../../src/store/open.ts';
import type { EndedAttempt } from '../../src/store/outbox.ts';

/* News of a target `shop`, without an application that takes it. */

const RULES = {
  environments: ['test', 'live'],
  kinds: ['payout'],
  when: 'confirmed',
  news: 'settled',
  events: null,
} as const;

/** A row is given up with its first attempt. */
export const GIVEN_UP = { firstMs: 5_000, maxMs: 60_000, giveUpMs: 0 };

/** Takes over these targets. */
export async function planTargets(path: string, names: readonly string[] = ['shop']): Promise<void> {
  const operations = await openStore(path).operations();
  await operations.outbox.plan({ targets: names.map((name) => ({ name, ...RULES })) });
  await operations.close();
}

/** Attempts this many rows of `shop`, which are all given up, or end as `over` says; returns their ids. */
export async function giveUp(path: string, rows: number, over: Partial<EndedAttempt> = {}): Promise<string[]> {
  const operations = await openStore(path).operations();
  const target = { name: 'shop', concurrency: 9, timeoutMs: 1_000, includeBody: false, longestWaitMs: 1e9 };
  const { leased } = await operations.outbox.exchange({ ended: [], open: [{ ...target, free: rows }] });
  const failed = {
    ...{ outcome: 'refused' as const, status: 500, detail: 'no', retryAfterMs: null, holdsTarget: false },
    retry: GIVEN_UP,
    ...over,
  };
  const ended = leased.map(({ webhookId, attempt }) => ({ webhookId, attempt, ...failed }));
  await operations.outbox.exchange({ ended, open: [] });
  await operations.close();
  return leased.map(({ webhookId }) => webhookId);
}
