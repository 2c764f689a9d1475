import { expect } from 'vitest';
import type { AttemptResult } from '../../../src/domain/forwarding/forward-row.ts';
import type { TargetRules } from '../../../src/domain/forwarding/forward-target.ts';
import type { EndedAttempt, Exchanged, LeasedRow, OpenTarget, OutboxRow } from '../../../src/store/outbox.ts';
import { refund } from '../../support/deliveries.ts';
import { newsProblems } from '../../support/news-schema.ts';
import { check } from './checking.ts';
import type { Handle } from './handle.ts';
import type { World } from './world.ts';

/* What a guarantee does with the outbox: through the port, as a forwarder does. */

export const TIMEOUT_MS = 10_000;
/** The lease outlasts the attempt. */
export const LEASE_MS = TIMEOUT_MS + 10_000;
export const RETRY = { firstMs: 5_000, maxMs: 60_000, giveUpMs: 3_600_000 };

export function target(over: Partial<TargetRules> = {}): TargetRules {
  const all = { environments: ['test', 'live'], kinds: ['refund', 'payout', 'collection'] } as const;
  return { name: 'shop', ...all, when: 'confirmed', news: 'settled', events: null, ...over };
}

export const plan = async (handle: Handle, ...targets: TargetRules[]) =>
  (await handle.operations()).outbox.plan({ targets });

export async function exchange(
  handle: Handle,
  ended: readonly EndedAttempt[],
  over: Partial<OpenTarget> = {},
): Promise<Exchanged> {
  const { outbox } = await handle.operations();
  const open = { name: 'shop', concurrency: 4, free: 4, timeoutMs: TIMEOUT_MS, includeBody: false };
  return outbox.exchange({ ended, open: [{ ...open, longestWaitMs: 4 * 3_600_000, ...over }] });
}

export const lease = async (handle: Handle, over: Partial<OpenTarget> = {}): Promise<readonly LeasedRow[]> =>
  (await exchange(handle, [], over)).leased;

/** Ends an attempt; true when it counted. */
export async function end(
  handle: Handle,
  { webhookId, attempt }: LeasedRow,
  outcome: AttemptResult['outcome'] = 'delivered',
  over: Partial<EndedAttempt> = {},
): Promise<boolean> {
  const facts = { webhookId, attempt, outcome, status: 200, detail: null, retry: RETRY, retryAfterMs: null };
  const { states } = await exchange(handle, [{ ...facts, holdsTarget: false, ...over }], { free: 0 });
  return states[0] !== null;
}

/** As `serve` does within a second, so that the rows of received events are written. */
export const look = async (handle: Handle) => (await handle.operations()).outbox.exchange({ ended: [], open: [] });

export async function rows(handle: Handle, filter = {}): Promise<OutboxRow[]> {
  await look(handle);
  return (await handle.archive()).outbox(filter, { limit: 1_000, order: 'oldest' });
}

export const shownStates = async (handle: Handle): Promise<string[]> =>
  (await rows(handle)).map(({ type, state }) => `${type} ${state}`);

/** The news of a row, which agrees with the published schema. */
export function parsed({ body }: LeasedRow) {
  const news = JSON.parse(Buffer.from(body).toString());
  expect(newsProblems(news)).toEqual([]);
  return news;
}

/** A refund that webhooks report, and that the service confirms with each of these statuses, one after the other. */
export async function confirmed(world: World, reference: string, ...statuses: string[]): Promise<void> {
  await world.receive(refund(reference, 'processing', { updatedAt: '2026-11-20T08:00:00Z' }));
  for (const status of statuses) await check(world.here, reference, status);
}
