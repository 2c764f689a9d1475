import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RequestIntent, RequestJournal, SettledRequest } from '../../../../src/domain/requests/request.ts';
import { memoryJournal } from '../../../../src/service/index.ts';
import { openStore } from '../../../../src/store/open.ts';
import { temporaryFolder } from '../../../support/folder.ts';

const onDisk = await openStore(join(temporaryFolder(), 'journal.db')).requestJournal();
afterAll(() => onDisk.close());
const NOW_MS = Date.parse('2026-11-20T10:00:00Z');

const intent = (key: string, over: Partial<RequestIntent> = {}): RequestIntent => ({
  kind: 'refund',
  environment: 'test',
  reference: 'TX_81',
  contentDigest: 'content',
  key,
  proposedKey: key,
  record: null,
  nowMs: NOW_MS,
  ...over,
});
const settled = (key: string, over: Partial<SettledRequest> = {}): SettledRequest => ({
  kind: 'refund',
  environment: 'test',
  key,
  state: 'accepted',
  attempts: 1,
  refusal: null,
  record: null,
  nowMs: NOW_MS,
  ...over,
});

describe.each<[string, RequestJournal]>([
  ['in memory', memoryJournal()],
  ['on disk', onDisk],
])('the journal %s', (name, journal) => {
  const keyOf = (of: string) => `${name} ${of}`;

  test('counts how often the same request was begun, and nothing else', async () => {
    const key = keyOf('counted');
    expect(await journal.begin(intent(key))).toMatchObject({ key, attempts: 1, state: 'open', createdAtMs: NOW_MS });
    expect(await journal.begin(intent(key, { contentDigest: 'other' }))).toMatchObject({
      attempts: 1,
      contentDigest: 'content',
    });
    expect(await journal.begin(intent(key, { nowMs: NOW_MS + 5 }))).toMatchObject({ attempts: 2, createdAtMs: NOW_MS });
    expect(await journal.begin(intent(key, { environment: 'live' }))).toMatchObject({ attempts: 1 });
    expect(await journal.begin(intent(key, { kind: 'payout' }))).toMatchObject({ attempts: 1 });
  });

  test('resumes a refund of the same content without a key, open ones first, and takes a new key for any other', async () => {
    const contentDigest = keyOf('resumed');
    const begin = (proposedKey: string, over: Partial<RequestIntent> = {}) =>
      journal.begin(intent('', { key: null, proposedKey: keyOf(proposedKey), contentDigest, ...over }));
    expect(await begin('one')).toMatchObject({ key: keyOf('one') });
    expect(await begin('two')).toMatchObject({ key: keyOf('one'), attempts: 2 });
    expect(await begin('three', { contentDigest: keyOf('another') })).toMatchObject({ key: keyOf('three') });
    await journal.settle(settled(keyOf('one')));
    expect(await begin('four')).toMatchObject({ key: keyOf('one'), attempts: 3, state: 'accepted' });
    expect(await begin('five', { key: keyOf('my own') })).toMatchObject({ key: keyOf('my own'), attempts: 1 });
    expect(await begin('six')).toMatchObject({ key: keyOf('my own'), attempts: 2, state: 'open' });
    await journal.settle(settled(keyOf('my own'), { state: 'refused', attempts: 2 }));
    expect(await begin('seven')).toMatchObject({ key: keyOf('one'), attempts: 4 });
  });

  test('a refused request begins anew; a refund’s key keeps its content, a reference may take another', async () => {
    const [refund, payout] = [keyOf('refused'), keyOf('refused payout')];
    for (const [key, kind] of [
      [refund, 'refund'],
      [payout, 'payout'],
    ] as const) {
      await journal.begin(intent(key, { kind }));
      await journal.settle(settled(key, { kind, state: 'refused' }));
    }
    expect(await journal.begin(intent(refund, { contentDigest: 'other' }))).toMatchObject({
      state: 'refused',
      contentDigest: 'content',
    });
    expect(await journal.begin(intent(refund, { nowMs: NOW_MS + 9 }))).toMatchObject({
      state: 'open',
      attempts: 1,
      createdAtMs: NOW_MS + 9,
    });
    expect(await journal.begin(intent(payout, { kind: 'payout', contentDigest: 'other' }))).toMatchObject({
      state: 'open',
      attempts: 1,
      contentDigest: 'other',
    });
  });

  test('a refusal counts only until the request is begun again, and an accepted request stays accepted', async () => {
    const key = keyOf('raced');
    await journal.begin(intent(key));
    await journal.begin(intent(key));
    await journal.settle(settled(key, { state: 'refused', attempts: 1 }));
    expect(await journal.begin(intent(key))).toMatchObject({ state: 'open', attempts: 3 });
    await journal.settle(settled(key, { attempts: 1 }));
    for (const state of ['open', 'refused'] as const) await journal.settle(settled(key, { state, attempts: 3 }));
    expect(await journal.begin(intent(key))).toMatchObject({ state: 'accepted', attempts: 4 });
  });

  test('knows the refunds that answered its requests, and the version of a payment', async () => {
    const record = { kind: 'refund', environment: 'test', reference: keyOf('R-1'), wire: {}, nowMs: NOW_MS } as const;
    await journal.begin(intent(keyOf('answered')));
    await journal.settle(settled(keyOf('answered'), { record }));
    expect(await journal.knowsRefund('test', keyOf('R-1'))).toBe(true);
    expect(await journal.knowsRefund('live', keyOf('R-1'))).toBe(false);
    expect(await journal.pinVersion('test', keyOf('order'), 'legacy')).toBe('legacy');
    expect(await journal.pinVersion('test', keyOf('order'), 'v1')).toBe('legacy');
  });
});

test('the journal in memory is bounded: it drops settled requests, then open collections, and refuses the rest', async () => {
  const journal = memoryJournal({ mostKept: 3 });
  const collection = { kind: 'collection', contentDigest: 'payment' } as const;
  await journal.begin(intent('settled'));
  await journal.settle(settled('settled'));
  await journal.begin(intent('payment', collection));
  await journal.begin(intent('one', { contentDigest: '1' }));
  await journal.begin(intent('two', { contentDigest: '2' }));
  expect(await journal.begin(intent('payment', collection))).toMatchObject({ attempts: 2 });
  await journal.begin(intent('three', { contentDigest: '3' }));
  await expect(journal.begin(intent('four', { contentDigest: '4' }))).rejects.toMatchObject({
    name: 'JournalFullError',
    message: /holds 3 refunds and payouts/,
  });
  expect(await journal.begin(intent('one', { contentDigest: '1' }))).toMatchObject({ attempts: 2 });
  await journal.settle(settled('two', { state: 'refused' }));
  expect(await journal.begin(intent('four', { contentDigest: '4' }))).toMatchObject({ attempts: 1 });
});
