import { expect, test } from 'vitest';
import { fold } from '../../../../src/domain/records/observe.ts';
import { api, other, permutations, webhook } from '../observations.ts';

const created = (text: string) => ({ created_at: text });
const timesOf = (set: Parameters<typeof fold>[1]) => fold('payout', set).times;

test('a zone-less time is read in the zone of the service, and its text stays', () => {
  const set = [webhook('payout', 'success', { created_at: '2026-11-01 00:30:00', paid_at: 'x' })];
  expect(timesOf(set)).toEqual({
    createdAt: { text: '2026-11-01 00:30:00', utc: '2026-10-31T23:30:00Z' },
    paidAt: { text: 'x', utc: null },
    updatedAt: null,
  });
});

test('a payout whose webhooks carry no time takes its beginning from the answer, also from one that is behind', () => {
  const set = [webhook('payout', 'reversed'), api('payout', 1, 'success', created('2026-10-31T10:00:00Z'))];
  for (const order of permutations(set)) {
    expect(timesOf(order).createdAt).toEqual({ text: '2026-10-31T10:00:00Z', utc: '2026-10-31T10:00:00Z' });
  }
});

test('paid_at comes from an observation with the status of the winner, never from another status', () => {
  const paid = { paid_at: '2026-11-01T10:00:00Z' };
  const same = [webhook('payout', 'success', paid), api('payout', 1, 'completed')];
  for (const order of permutations(same)) expect(timesOf(order).paidAt?.text).toBe(paid.paid_at);
  const another = [webhook('payout', 'success', paid), api('payout', 1, 'reversed')];
  for (const order of permutations(another)) expect(timesOf(order).paidAt).toBeNull();
});

test.each(['payout', 'collection'] as const)(
  'a %s that the service settled otherwise than its webhooks is dated by the service',
  (kind) => {
    const failed = { created_at: '2026-10-06T11:00:00Z', updated_at: '2026-10-07T12:00:00Z' };
    const dated = { paidAt: null, updatedAt: { text: failed.updated_at, utc: failed.updated_at } };
    for (const data of [{}, { paid_at: '2026-10-06T11:00:00Z', updated_at: '2026-10-06T11:00:00Z' }]) {
      const set = [webhook(kind, 'success', data), api(kind, 1, 'failed', failed)];
      for (const order of permutations(set)) expect(fold(kind, order).times).toMatchObject(dated);
    }
    // The later answer is the service's word.
    const now = [...[webhook(kind, 'success'), api(kind, 1, 'success')], api(kind, 2, 'failed', failed)];
    for (const order of permutations(now)) expect(fold(kind, order).times).toMatchObject(dated);
  },
);

test('where the service gives no time, or has not settled it, the winning observation dates it; else what the service answered', () => {
  const reported = { updated_at: '2026-10-06T11:00:00Z' };
  const answered = { updated_at: '2026-10-05T12:00:00Z' };
  const dateOf = (...set: Parameters<typeof timesOf>[0]) => timesOf(set).updatedAt?.text ?? null;
  expect(dateOf(webhook('payout', 'success', reported), api('payout', 1, 'failed'))).toBe(reported.updated_at);
  expect(dateOf(webhook('payout', 'success', reported), api('payout', 1, 'pending', answered))).toBe(
    reported.updated_at,
  );
  expect(dateOf(webhook('payout', 'success'), api('payout', 1, 'pending', answered))).toBe(answered.updated_at);
  const unreadable = { updated_at: '2026-10-06T11:00:00Z', paid_at: 'soon' };
  expect(dateOf(webhook('payout', 'success'), api('payout', 1, 'failed', unreadable))).toBe(unreadable.updated_at);
  expect(dateOf(webhook('payout', 'success', reported), api('payout', 1, 'failed', { paid_at: 'soon' }))).toBe(
    reported.updated_at,
  );
});

test('webhooks that are equally great and disagree give no time; one instant in two notations is agreed', () => {
  const disagreeing = ['2026-11-01T10:00:00Z', '2026-11-01T11:00:00Z'].map((text) => ({ paid_at: text }));
  const agreeing = ['2026-11-01T10:00:00Z', '2026-11-01T11:00:00+01:00'].map((text, n) => ({
    paid_at: text,
    note: n, // one content in two spellings is one content
  }));
  const of = (all: { paid_at: string }[]) => all.map((data) => webhook('payout', 'success', data));
  for (const order of permutations(of(disagreeing))) expect(timesOf(order).paidAt).toBeNull();
  for (const order of permutations(of(agreeing))) {
    expect(timesOf(order).paidAt).toEqual({ text: '2026-11-01T10:00:00Z', utc: '2026-11-01T10:00:00Z' });
  }
});

test('without an agreed beginning the earliest one that is known counts', () => {
  const set = [
    webhook('payout', 'success', created('2026-11-02T10:00:00Z')),
    webhook('payout', 'success', created('2026-11-01T10:00:00Z')),
    other('payout', 'request', '1', created('soon')),
  ];
  for (const order of permutations(set)) expect(timesOf(order).createdAt?.utc).toBe('2026-11-01T10:00:00Z');
});

test('two texts that are no times are never one time', () => {
  const of = (...texts: string[]) => texts.map((text, n) => webhook('payout', 'success', { paid_at: text, note: n }));
  for (const order of permutations(of('soon', 'later'))) expect(timesOf(order).paidAt).toBeNull();
  for (const order of permutations(of('soon', 'soon')))
    expect(timesOf(order).paidAt).toEqual({ text: 'soon', utc: null });
});
