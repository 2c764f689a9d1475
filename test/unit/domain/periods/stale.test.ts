import { expect, test } from 'vitest';
import { type News, newsText, staleRefusal } from '../../../../src/domain/periods/stale.ts';

const NONE: News = { records: 0, statements: 0, removed: 0, decisions: 0, payments: 0, closing: null };
const OCTOBER = { run: 7, name: '2026-10', from: '2026-10-01', to: '2026-10-31' };

test('without news a run is not stale', () => {
  expect(staleRefusal(OCTOBER, NONE)).toBeNull();
});

test.each<[Partial<News>, string]>([
  [{ records: 1 }, '1 record has news'],
  [{ records: 2 }, '2 records have news'],
  [{ records: null }, 'more records changed than are looked through here'],
  [{ statements: 1 }, '1 statement was imported'],
  [{ removed: 1 }, '1 statement was removed'],
  [{ statements: 1, removed: 2 }, '1 statement was imported, 2 statements were removed'],
  [{ decisions: 3 }, '3 matches were decided'],
  [{ payments: 1 }, '1 payment of a claim was named'],
  [{ closing: { period: '2026-09', closing: 2 } }, 'closing 2 of period 2026-09 was made'],
])('%j: %s', (over, text) => {
  const news = { ...NONE, ...over };
  expect(newsText(news)).toBe(text);
  expect(staleRefusal(OCTOBER, news)).toEqual({
    reason: 'stale',
    message: `Run 7 of period 2026-10 is older than what it rests on: ${text} since.`,
    hint: 'Reconcile its days again, then close it: tallyhook reconcile --from 2026-10-01 --to 2026-10-31',
  });
});
