import fc from 'fast-check';
import { expect } from 'vitest';
import { contentDigest, readEvent } from '../../../src/domain/events/event.ts';
import { isObject, parseBody } from '../../../src/domain/events/json.ts';
import { readStated, statedOfEvent } from '../../../src/domain/events/stated.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { Observation, Witness } from '../../../src/domain/records/observation.ts';
import { fold, type RecordState } from '../../../src/domain/records/observe.ts';

/** Observations as the program makes them: from bodies, through the same readers. */

type Payload = Readonly<Record<string, unknown>>;

export const STATUSES: Record<RecordKind, readonly string[]> = {
  refund: ['awaiting_settlement', 'pending', 'processing', 'failed', 'rejected', 'success', 'on_hold', 'constructor'],
  payout: ['pending', 'cancelled', 'abandoned', 'failed', 'success', 'completed', 'reversed', 'on_hold'],
  collection: ['pending', 'cancelled', 'abandoned', 'failed', 'success', 'completed', 'reversed', 'on_hold'],
};

/** A webhook with this status in its name and, unless `data` says otherwise, in its data. */
export function webhook(kind: RecordKind, status: string, data: Payload = {}): Observation {
  const named = status === 'success' ? 'successful' : status;
  const content = { reference: 'R', refund_reference: 'R', status, ...data };
  const body = {
    refund: { event: `refund.${status}`, data: content },
    payout: { notify: 'payout', notifyType: named, data: content },
    collection: { notify: 'transaction', notifyType: named, data: content },
  }[kind];
  const bytes = Buffer.from(JSON.stringify(body));
  const event = readEvent(bytes, 'test');
  const stated = statedOfEvent(event, 'Africa/Lagos');
  if (stated === null) throw new Error(`no observation in ${bytes}`);
  const eventKey = JSON.stringify([event.event, event.reference, event.updatedAt]);
  return { witness: 'webhook', identity: `${eventKey}#${contentDigest(bytes)}`, eventKey, answer: null, stated };
}

/** The service's answer number `counter`, `minutes` after the start of the day used here. */
export function api(
  kind: RecordKind,
  counter: number,
  status: string | null,
  data: Payload = {},
  minutes = counter,
): Observation {
  const answer = { counter, atMs: Date.parse(DAY) + minutes * 60_000 };
  return { ...other(kind, 'api', `${counter}`, { status, ...data }), answer };
}

/** The observation of a request's response, a list row or a statement line. */
export function other(kind: RecordKind, witness: Witness, identity: string, data: Payload): Observation {
  const parsed = parseBody(Buffer.from(JSON.stringify(data)));
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('not an object');
  const stated = readStated(kind, parsed.value, 'Africa/Lagos');
  return { witness, identity: `${witness}:${identity}`, eventKey: '', answer: null, stated };
}

export const DAY = '2026-07-01T00:00:00Z';

/** An instant of that day, `10:30` or `10:30:00.5`. */
export function at(clock: string): { updated_at: string } {
  return { updated_at: `2026-07-01T${clock.length === 5 ? `${clock}:00` : clock}Z` };
}

/** Few values of everything, so that variants, ties, contradictions and conflicts come up in nearly every set. */
export function observationSets(kind: RecordKind, maxLength: number): fc.Arbitrary<Observation[]> {
  const status = fc.constantFrom(...STATUSES[kind]);
  const money = fc.constantFrom('10.00', 10, '10', '12.50', '-1.00', '1e3', null);
  const instant = fc.constantFrom(
    '2026-06-30T09:00:00Z',
    '2026-06-30T10:00:00+01:00',
    '2026-07-01 08:00:00',
    'soon',
    null,
  );
  const payload = fc.record(
    {
      updated_at: fc.constantFrom(
        '2026-07-01T01:00:00Z',
        '2026-07-01T02:00:00.5+01:00',
        '2026-07-01T02:00:00Z',
        '2026-07-01T03:00:00',
        null,
      ),
      amount: money,
      requested_amount: money,
      fee: fc.constantFrom('1.00', '1.005', 'free'),
      fees: fc.constantFrom('0.12', '0.19836', null),
      stamp_duty: fc.constantFrom(50, '50.00', '0'),
      wallet_code: fc.constantFrom('W-1', 'W-2', null),
      created_at: instant,
      requested_at: instant,
      completed_at: instant,
      paid_at: instant,
      total_reserved: fc.constantFrom('11.00', '12.00'),
      currency: fc.constantFrom('USD', 'usd', 'NGN'),
      external_reference: fc.constantFrom('X1', 'X2', null),
      narration: fc.constantFrom('a/b', 'ü'),
      account_number: fc.constantFrom('0123456789', '0987654321', null),
      account_name: fc.constantFrom('Ada', 'Obi'),
      customer: fc.constantFrom({ email: 'ada@example.com' }, { email: 'obi@example.com' }, null),
      funding: fc.constantFrom(
        null,
        { status: 'released' },
        { status: 'funded', pending_reserved: '5', pending_remaining: '9', pending_funded_amount: '0' },
      ),
    },
    { requiredKeys: [] },
  );
  const contradicting = fc.record({ status }, { requiredKeys: [] });
  const hook = fc.tuple(status, payload, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, contradicting));
  const answered = fc.tuple(fc.nat(9), fc.option(status, { freq: 8 }), payload, fc.integer({ min: 0, max: 3 }));
  const others = fc.tuple(fc.constantFrom<Witness>('request', 'list'), fc.nat(3), status, payload);
  const any = fc.oneof(
    {
      weight: 4,
      arbitrary: hook.map(([named, data, contradiction]) => webhook(kind, named, { ...data, ...contradiction })),
    },
    { weight: 3, arbitrary: answered.map(([n, status, data, late]) => api(kind, n, status, data, n * 3 + late)) },
    {
      weight: 1,
      arbitrary: others.map(([witness, n, status, data]) => other(kind, witness, `${n}`, { status, ...data })),
    },
  );
  return fc.uniqueArray(any, { maxLength, selector: ({ identity }) => identity });
}

/** A state as text, amounts included: two states are one exactly when their texts are. */
export function textOf(state: RecordState): string {
  return JSON.stringify(state, (_name, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Folds every order of a small set, `samples` random ones of a larger; each with duplicates. Returns how many. */
export function foldInManyOrders(
  kind: RecordKind,
  set: readonly Observation[],
  seed: number,
  samples: number,
  check: (state: string) => void,
): number {
  const random = randomFrom(seed);
  let count = 0;
  const attempt = (order: readonly Observation[]): void => {
    const delivered = [...order];
    for (let extra = random(3); extra > 0 && order.length > 0; extra--) {
      delivered.splice(random(delivered.length + 1), 0, order[random(order.length)] as Observation);
    }
    check(textOf(fold(kind, delivered)));
    count++;
  };
  if (set.length <= 5) for (const order of permutations(set)) attempt(order);
  else for (let round = 0; round < samples; round++) attempt(shuffled(set, random));
  return count;
}

/** `code subject` of every finding, the same in every order of the observations. */
export function findings(kind: RecordKind, set: readonly Observation[]): string[] {
  const found = (order: readonly Observation[]): string[] =>
    fold(kind, order).findings.map(({ code, subject }) => `${code} ${subject}`);
  const first = found(set);
  for (const order of permutations(set)) expect(found(order)).toEqual(first);
  return first;
}

export function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const pick = random(last + 1);
    [order[last], order[pick]] = [order[pick] as T, order[last] as T];
  }
  return order;
}

/** Whole numbers from 0 below the argument, the same for the same seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
