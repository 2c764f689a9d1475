import { afterEach, expect, test } from 'vitest';
import { aesCbcCodec } from '../../../../../src/domain/requests/payload-codec.ts';
import type { Delivery } from '../../../../../src/store/inbox.ts';
import { writing } from '../../../../../src/store/sqlite/engine/database.ts';
import { eventWrites } from '../../../../../src/store/sqlite/write/events.ts';
import { delivery, refund, TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
afterEach(() => db.remove());

/** A content under the key of one collection event, whose name holds no status; `n` makes it another content. */
const content = (status: string | null, n = 0, data: Record<string, unknown> = {}): Delivery =>
  delivery({ event: 'transaction', data: { reference: 'C1', updated_at: '2026-11-20T09:00:00Z', status, n, ...data } });

const statuses = () => db.database.prepare('SELECT status FROM events ORDER BY id').pluck().all();

test.each<[string, Delivery, string | null]>([
  ['its data', content('failed'), 'failed'],
  ['its name, where the data has none', refund('R1', 'failed', { data: { status: null } }), 'failed'],
  ['none without one', content(null), null],
  ['none when it contradicts itself', refund('R1', 'failed', { event: 'refund.success' }), null],
  ['none when it is quarantined', content('success', 0, { domain: 'live' }), null],
  ['none when it is of an unknown kind', delivery({ event: 'balance.low', data: { status: 'low' } }), null],
  ['none when it is unreadable', delivery('no json'), null],
])('the status that an event states: %s', (_what, one, status) => {
  db = new TestDatabase();
  db.keep(one);
  expect(statuses()).toEqual([status]);
});

test.each<[string, Delivery[], string | null]>([
  ['agree', [content('pending'), content('pending', 1), content('pending', 2)], 'pending'],
  ['repeat one another', [content('pending'), content('pending'), content('pending', 1)], 'pending'],
  ['disagree', [content('pending'), content('failed'), content('pending', 1)], null],
  ['state none, one of them', [content('pending'), content(null), content('pending', 1)], null],
  ['state none, all of them', [content(null), content(null, 1)], null],
  ['are quarantined, one of them', [content('pending'), content('pending', 1, { domain: 'live' })], null],
])('the status of an event whose contents %s, in every order', (_what, contents, status) => {
  db = new TestDatabase();
  for (const order of permutations(contents)) {
    db.keep(...order);
    expect(statuses()).toEqual([status]);
    db.database.exec('DELETE FROM variants; DELETE FROM events');
  }
});

test('an encrypted content states the status inside', () => {
  db = new TestDatabase();
  const codec = aesCbcCodec({ keyHex: '0f'.repeat(32), ivHex: '0f'.repeat(16) });
  const { keep } = eventWrites(db.database, (payload) => codec.decode(payload));
  const sealed = delivery({ data: codec.encode(Buffer.from(refund('R1', 'failed').body).toString()) });
  writing(db.database, () => keep([sealed]))();
  expect(statuses()).toEqual(['failed']);
});

function permutations<One>(all: readonly One[]): One[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
