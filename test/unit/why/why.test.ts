import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/domain/checks/check.ts';
import { openStore } from '../../../src/store/open.ts';
import { requestWrites } from '../../../src/store/sqlite/write/requests.ts';
import { conclude, type Standing } from '../../../src/why/conclusion.ts';
import { type Entry, STORY_SOURCES, type Wording } from '../../../src/why/entry.ts';
import { reconciledOf } from '../../../src/why/reconciled.ts';
import { abridged, entriesOf } from '../../../src/why/why.ts';
import { type AnswerGiven, checked } from '../../support/check.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../../support/test-database.ts';

const MINUTE_MS = 60_000;
const minutes = (count: number) => START_MS + count * MINUTE_MS;
const at = (count: number) => ({ receivedAtMs: minutes(count) });
/** `10:05` for a time of that day, and every value in full. */
const clockOf = (ms: number) => new Date(ms).toISOString().slice(11, 16);
const WORDING: Wording = { time: clockOf, deadline: (ms) => `the end of ${clockOf(ms)}`, value: (_name, text) => text };

const db = new TestDatabase();
const archive = await openStore(db.path).archive();
afterAll(async () => {
  await archive.close();
  db.remove();
});

async function storyOf(reference: string, kind: 'refund' | 'payout' | 'collection' = 'refund') {
  const { records, reconciled } = await archive.story(reference, { kind });
  const [story] = records;
  if (story === undefined) throw new Error(`no ${kind} ${reference}`);
  return { ...story, reconciled: reconciledOf(story.record, reconciled), incidents: [] };
}
const linesOf = async (reference: string, kind?: 'refund' | 'payout' | 'collection') =>
  abridged(entriesOf(await storyOf(reference, kind), WORDING)).map(
    ({ atMs, text, times }) => `${WORDING.time(atMs)} ${text}${times > 1 ? ` ×${times}` : ''}`,
  );

test('the whole story, in time order, causes before what follows from them', async () => {
  const requests = requestWrites(db.database, 'UTC');
  const key = { kind: 'refund', environment: 'test', key: 'KEY' } as const;
  const intent = { ...key, reference: 'TX', contentDigest: 'c', proposedKey: 'KEY', record: null, nowMs: minutes(0) };
  requests.begin(intent, intent);
  requests.begin(intent, intent);
  const wire = { status: 'pending', amount: '50.00', currency: 'USD' };
  requests.settle(
    {
      ...{ ...key, state: 'accepted', attempts: 2, refusal: null, nowMs: minutes(1) },
      record: { kind: 'refund', environment: 'test', reference: 'WHOLE', wire },
    },
    { nowMs: minutes(1) },
  );
  db.database.exec(`
    INSERT INTO tracked (kind, record_id, amount_minor, currency, expected_by, tracked_at)
    VALUES ('refund', 1, 5000, 'USD', ${minutes(50)}, ${minutes(2)})`);
  db.keepAndApply(refund('WHOLE', 'pending', {}, at(3)));
  db.keepAndApply(refund('WHOLE', 'pending', {}, at(4)));
  for (const minute of [5, 6, 7]) await checked(db, 'WHOLE', 'pending', { nowMs: minutes(minute), data: wire });
  const later = { updatedAt: '2026-11-20T10:08:00Z' };
  db.keepAndApply(refund('WHOLE', 'success', later, at(8)));
  db.keepAndApply(
    refund('WHOLE', 'success', { ...later, data: { amount: '51.00' } }, { ...at(9), merchantSignature: 'absent' }),
  );
  await checked(db, 'WHOLE', null, { nowMs: minutes(10), outcome: 'no_answer', detail: 'nothing for 15 s' });
  expect(await linesOf('WHOLE')).toEqual([
    '10:00 We requested a refund of payment TX (idempotency key KEY; attempted 2 times with this key, so it counts once).',
    '10:01 The service accepted it: pending, 50.00 USD.',
    '10:02 Tracked: we expect 50.00 USD by the end of 10:50.',
    '10:03 Webhook refund.pending received (event 1): pending, 50.00 USD, dated 09:00 by the service. Signed by test-1. Delivered 2 times, last at 10:04; it counts once.',
    '10:03 Reported status: pending.',
    '10:05 Status check: the service answered pending, 50.00 USD.',
    '10:05 Confirmed status: pending.',
    '10:06 Status check: the service answered pending, 50.00 USD. ×2',
    '10:08 Webhook refund.success received (event 2): success, 50.00 USD, dated 10:08 by the service. Signed by test-1.',
    '10:08 Reported status: success (before: pending). A status in between was never received.',
    '10:09 Another content received under the key of event 2 (variant 1): success, 51.00 USD, dated 10:08 by the service. Neither takes precedence. Signed by test-1, without merchantSignature.',
    '10:09 Finding 1 (variant) opened: one event was received with different contents. About refund.success 2026-11-20T10:08:00Z: 2 contents state success.',
    '10:09 Finding 2 (fact_conflict) opened: a field that must never change has several values. About amount: 50.00 ≠ 51.00.',
    '10:10 Status check: no complete response came in time (nothing for 15 s).',
  ]);
});

test('a row of the list, the latest listing, and complete walks without it', async () => {
  db.keepAndApply(refund('LISTED', 'pending', {}, at(20)));
  const { record } = await storyOf('LISTED');
  db.database.exec(`
    INSERT INTO observations (kind, record_id, identity, witness, event_key, status, time, claim)
      VALUES ('refund', ${record.id}, 'list:1', 'list', '', 'processing', '2026-11-20T10:21:00Z', '{"facts":{},"details":{},"times":{}}');
    INSERT INTO backfills (id, environment, since, newest_refund, first_page, started_at, finished_at)
      VALUES (1, 'test', 0, 9, 'page=1', 0, ${minutes(22)}), (2, 'test', 0, 9, 'page=1', 0, ${minutes(23)});
    INSERT INTO refund_listings (record_id, listed_in, listed_at, absences, missed_in)
      VALUES (${record.id}, 1, ${minutes(22)}, 2, 2)`);
  expect((await linesOf('LISTED')).slice(2)).toEqual([
    "10:21 In the service's refund list: processing, dated 10:21 by the service.",
    "10:22 Last seen in the service's refund list.",
    "10:23 Not in the service's refund list, by 2 complete walks in a row. That alone proves nothing.",
  ]);
});

test('a collection that we started; a finding that closed; a check under way', async () => {
  const requests = requestWrites(db.database, 'UTC');
  const sent = { reference: 'C1', requested_amount: '10.00', currency: 'NGN' };
  const key = { kind: 'collection', environment: 'test', key: 'C1' } as const;
  const started = (wire: Record<string, string>) =>
    ({ kind: 'collection', environment: 'test', reference: 'C1', wire }) as const;
  const intent = { ...key, reference: 'C1', contentDigest: 'c', proposedKey: 'C1', nowMs: minutes(29) };
  requests.begin({ ...intent, record: started(sent) }, intent);
  expect(await linesOf('C1', 'collection')).toEqual([
    '10:29 We requested payment C1 (its own reference C1). Its outcome is unknown: the service may or may not have accepted it.',
  ]);
  const answered = started({ ...sent, status: 'pending' });
  requests.settle(
    { ...key, state: 'accepted', attempts: 1, refusal: null, record: answered, nowMs: minutes(30) },
    { nowMs: minutes(30) },
  );
  const { record } = await storyOf('C1', 'collection');
  db.database.exec(`
    INSERT INTO findings (kind, record_id, environment, reference, code, subject, detail, opened_at, closed_at)
      VALUES ('collection', ${record.id}, 'test', 'C1', 'never_seen', 'reference', 'late', ${minutes(31)}, ${minutes(32)});
    INSERT INTO checks (kind, record_id, counter, started_at, leased_until, attempts)
      VALUES ('collection', ${record.id}, 99, ${minutes(33)}, ${minutes(34)}, 1)`);
  expect(await linesOf('C1', 'collection')).toEqual([
    '10:29 We requested payment C1 (its own reference C1).',
    '10:30 The service accepted it: pending, 10.00 NGN.',
    expect.stringMatching(
      /^10:31 Finding \d+ \(never_seen\) opened: nothing was received about it by its date\. About reference: late\.$/,
    ),
    expect.stringMatching(/^10:32 Finding \d+ \(never_seen\) closed: it no longer applies\.$/),
    '10:33 A status check is under way; without an answer, the next one may follow at 10:34.',
  ]);
});

test('personal data and bodies that were pruned', async () => {
  db.keepAndApply(refund('PRUNED', 'success', {}, at(35)));
  db.keepAndApply(refund('PRUNED', 'success', { data: { amount: '1.00' } }, at(36)));
  const { record, events } = await storyOf('PRUNED');
  db.database.exec(`
    UPDATE refunds SET pruned_at = ${minutes(59)} WHERE id = ${record.id};
    UPDATE events SET body = x'', pruned_at = ${minutes(59)} WHERE id = ${events[0]?.id};
    UPDATE variants SET body = x'', pruned_at = ${minutes(59)} WHERE event_id = ${events[0]?.id}`);
  expect((await linesOf('PRUNED')).at(-1)).toBe(
    '10:59 Personal data and 2 bodies were pruned; the observations are kept.',
  );
});

test('values that identify a person pass through the wording, also within a finding', async () => {
  const account = (number: string) => ({ data: { account_number: number } });
  db.keepAndApply(payout('MASKED', 'failed', account('0123456789'), at(40)));
  db.keepAndApply(payout('MASKED', 'success', { updatedAt: '2026-11-20T09:30:00Z', ...account('9876543210') }, at(41)));
  const masking: Wording = { ...WORDING, value: (name, text) => (name === 'accountNumber' ? '•••' : text) };
  const shown = JSON.stringify(entriesOf(await storyOf('MASKED', 'payout'), masking));
  expect(shown).toContain('About accountNumber: ••• ≠ •••.');
  expect(shown).not.toMatch(/0123456789|9876543210/);
});

test('equal neighbours are shown as one, others never, and none is lost', () => {
  const entries = fc.array(
    fc.record({ source: fc.constantFrom(...STORY_SOURCES), repeats: fc.constantFrom('a', 'b', undefined) }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(entries, (some) => {
      const all = some.map(
        ({ source, repeats }, atMs): Entry => ({
          atMs,
          source,
          text: '',
          facts: {},
          ...(repeats !== undefined && { repeats }),
        }),
      );
      const grouped = abridged(all);
      expect(grouped.reduce((sum, { times }) => sum + times, 0)).toBe(all.length);
      for (const [index, one] of grouped.entries()) {
        expect(one.lastAtMs - one.atMs).toBe(one.times - 1);
        if (one.repeats === undefined) expect(one.times).toBe(1);
        const next = grouped[index + 1];
        if (next !== undefined && one.repeats !== undefined && next.source === one.source) {
          expect(next.repeats).not.toBe(one.repeats);
        }
      }
    }),
  );
});

describe('the conclusion', () => {
  let made = 0;
  interface Case {
    readonly kind?: 'refund' | 'payout' | 'collection';
    readonly reported?: string | null;
    readonly answers?: readonly (string | Outcome | readonly [string, number])[];
    readonly nowMs?: number;
    readonly change?: (id: number, table: string) => string;
  }
  const OUTCOMES: readonly string[] = ['unproven', 'unconfirmable', 'unaskable', 'unavailable', 'not_found'];

  async function concluded({ kind = 'refund', reported = 'pending', answers = [], nowMs = minutes(5), change }: Case) {
    const reference = `CASE-${++made}`;
    if (reported !== null) {
      const one = {
        refund: () => refund(reference, reported, {}, at(0)),
        payout: () => payout(reference, reported, {}, at(0)),
        collection: () =>
          delivery({ notify: 'transaction', notifyType: reported, data: { reference, status: reported } }, at(0)),
      }[kind]();
      db.keepAndApply(one);
    }
    for (const [index, each] of answers.entries()) {
      const [name, minute] = typeof each === 'string' ? [each, index + 1] : each;
      const given: AnswerGiven = {
        kind,
        nowMs: minutes(minute),
        ...(OUTCOMES.includes(name) && { outcome: name as Outcome }),
      };
      await checked(db, reference, OUTCOMES.includes(name) ? null : name, given);
    }
    if (change !== undefined) {
      const { id } = (await storyOf(reference, kind)).record;
      db.database.exec(change(id, `${kind}s`));
    }
    return conclude((await storyOf(reference, kind)).record, { nowMs, wording: WORDING, lacking: null });
  }

  test.each<[Standing, string, Case, string]>([
    [
      'final',
      'a refund that succeeded',
      { reported: 'success', answers: ['success'] },
      'Final: success, confirmed on 10:01; it cannot change any more. No further check is scheduled.',
    ],
    [
      'final',
      'one whose webhook was lost',
      { answers: ['success'] },
      'Final: success, confirmed on 10:01; it cannot change any more. The webhooks report pending. No further check is scheduled.',
    ],
    [
      'watched',
      'a payout that succeeded',
      { kind: 'payout', reported: 'success', answers: ['success'] },
      'Settled: the service has confirmed success since 10:01. The next check is at 10:01.',
    ],
    [
      'settled',
      'a payout after all its watching',
      {
        kind: 'payout',
        reported: 'success',
        answers: ['success'],
        change: (id, table) => `UPDATE ${table} SET due_at = NULL WHERE id = ${id}`,
      },
      'Settled: the service has confirmed success since 10:01. No further check is scheduled.',
    ],
    [
      'open',
      'a record without any check',
      {},
      'Open: the service has confirmed nothing; the webhooks report pending. A check has been due since 10:00; the next sweep sends it.',
    ],
    [
      'open',
      'a record that is not settled',
      { answers: ['processing', 'processing'], nowMs: minutes(3) },
      'Open: the service has confirmed processing since 10:01; the webhooks report pending. The next check is at 10:07.',
    ],
    [
      'open',
      'a record whose last check failed',
      { answers: ['processing', 'unavailable'], nowMs: minutes(2) },
      'Open: the service has confirmed processing since 10:01; the webhooks report pending. The next check is at 10:03. Last check: the service failed, or could not be reached.',
    ],
    [
      'unconfirmed',
      'an unproven endpoint (decision 72)',
      { kind: 'payout', reported: 'success', answers: ['unproven'] },
      'Not confirmed: endpoint unproven. The webhooks report success. The next check is at 11:01. Last check: the endpoint has never given a usable answer; check collectionPath and payoutPath.',
    ],
    [
      'unconfirmed',
      'no endpoint',
      { kind: 'payout', reported: 'success', answers: ['unconfirmable'] },
      'Not confirmed: no status endpoint. The webhooks report success. No further check is scheduled.',
    ],
    [
      'stuck',
      'a reference that cannot be part of a request',
      { answers: ['unaskable'] },
      'Stuck. The service has confirmed nothing; the webhooks report pending. Ask the support of the service about it: its reference cannot be part of a request. One finding is open.',
    ],
    [
      'stuck',
      'attempts that are used up',
      { answers: Array.from({ length: 40 }, () => 'not_found' as const), nowMs: minutes(99) },
      'Stuck since 10:40. The service has confirmed nothing; the webhooks report pending. Ask the support of the service about it; `tallyhook sweep --reference REF` then checks it once more. One finding is open.',
    ],
  ])('%s: %s', async (standing, _what, given, text) => {
    const conclusion = await concluded(given);
    expect(conclusion).toMatchObject({ standing, text });
  });

  test('awaited: a tracked record without any observation', async () => {
    db.database.exec(`
      INSERT INTO payouts (id, environment, reference, due_at, first_seen_at, changed_at)
        VALUES (900, 'test', 'AWAITED', ${minutes(9)}, ${minutes(0)}, ${minutes(0)});
      INSERT INTO tracked (kind, record_id, expected_by, tracked_at) VALUES ('payout', 900, ${minutes(60)}, ${minutes(0)})`);
    const { record } = await storyOf('AWAITED', 'payout');
    expect(conclude(record, { nowMs: minutes(5), wording: WORDING, lacking: null })).toEqual({
      standing: 'awaited',
      confirmedSinceMs: null,
      nextAtMs: minutes(9),
      text: 'Awaited by the end of 11:00: nothing has been received about it so far. The next check is at 10:09.',
    });
  });

  test('during a check, and when news came after the last answer', async () => {
    const out = await concluded({
      change: (id) => `
        INSERT INTO checks (kind, record_id, counter, started_at, leased_until, attempts)
        VALUES ('refund', ${id}, 999, ${minutes(4)}, ${minutes(6)}, 1)`,
    });
    expect(out.text).toMatch(/A status check is under way\.$/);
    const due = (id: number, table: string) => `UPDATE ${table} SET due_at = ${minutes(4)} WHERE id = ${id}`;
    const news = await concluded({ reported: 'success', answers: ['success'], change: due });
    expect(news).toMatchObject({
      standing: 'watched',
      text: expect.stringMatching(/A check has been due since 10:04; the next sweep sends it\.$/),
    });
  });
});
