import { beforeAll, expect, test } from 'vitest';
import type { ExceptionAct } from '../../src/store/exceptions.ts';
import { hledgerBalances, hledgerCheck } from '../support/journal/hledger.ts';
import { importAll } from '../support/month/import.ts';
import { moneyText } from '../support/month/money.ts';
import { makeMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * The month with its faults, closed in two halves: what is open at the end of the first is brought back in the second, and what
 * was decided stands. Every wallet and bank ends at what its files close with.
 */

const month = makeMonth({ seed: 20_261_017, clean: 120, each: 1, fileFaults: false });

const HALVES = [
  { period: '2026-10-01..2026-10-15', from: '2026-10-01', to: '2026-10-15' },
  { period: '2026-10-16..2026-10-31', from: '2026-10-16', to: '2026-10-31' },
];
let shop: Shop;

beforeAll(async () => {
  shop = await Shop.of(month.book.records.map(toldOf));
  shop.file('tallyhook.yaml', WITHOUT_LIMITS);
  await importAll(shop, month.files);
});

/** Decides about everything that is open, by turns: borne, claimed, our own mistake, carried. What is of closed days may be claimed alone. */
async function decide(from: string): Promise<void> {
  const acts: ExceptionAct[] = [];
  for (let after: Parameters<typeof shop.archive.exceptions>[1]['after'] = null; ; ) {
    const page = await shop.archive.exceptions({ unresolved: true, environment: 'test' }, { after, limit: 500 });
    for (const [at, { id, date }] of page.rows.entries()) {
      const words = date < from ? CLAIM : (WORDS[at % WORDS.length] ?? CLAIM);
      acts.push({ ...words, act: 'resolve', id, by: 'Ada' });
    }
    if (page.next === null) break;
    after = page.next;
  }
  await shop.act(...acts);
  expect(acts.length).toBeGreaterThan(10);
}
/** Nothing waits for a second person. */
const WITHOUT_LIMITS = `exceptions:
  reasons:
    rounding: { resolution: accept }
    service_error: { resolution: claim, account: claims, needs: [reference, follow_up] }
    booking_error: { resolution: ours, needs: [reference] }
    next_period: { resolution: carry }
`;

const SAYS = { comment: 'seen', attachments: [], lines: [] };
const CLAIM = {
  ...SAYS,
  resolution: 'claim',
  reasonCode: 'service_error',
  reference: 'CLM-7',
  followUp: '2026-12-01',
} as const;
const WORDS = [
  { ...SAYS, resolution: 'accept', reasonCode: 'rounding', reference: null, followUp: null },
  CLAIM,
  { ...SAYS, resolution: 'ours', reasonCode: 'booking_error', reference: 'COR-1', followUp: null },
  { ...SAYS, resolution: 'carry', reasonCode: 'next_period', reference: null, followUp: null },
] as const;

test.each(HALVES)(
  '$period is closed, and hledger takes its journal',
  { tags: ['hledger'] },
  async ({ period, from, to }) => {
    await shop.reconcile({ from, to }, { environment: 'test' });
    await decide(from);
    await shop.close(period, { by: 'Ada', set: 'test' });
    const text = await shop.journal(period, { set: 'test', format: 'hledger' });
    expect(hledgerCheck(text)).toBeNull();
    expect(hledgerBalances(text).filter((line) => line.startsWith('clearing:'))).toEqual([]);
  },
);

test('after the second half every wallet and bank holds what its files close with', { tags: ['hledger'] }, async () => {
  const [, second] = HALVES;
  const text = await shop.journal(second?.period ?? '', { set: 'test', format: 'hledger' });
  const held = new Set(hledgerBalances(text));
  const closings = month.proofs
    .filter(({ account }) => account.environment === 'test' && account.kind !== 'settlement')
    .map(({ account, rows }) => [account, rows.get('closing')?.theirs ?? 0n] as const)
    .filter(([, theirs]) => theirs !== 0n)
    .map(([{ kind, name, currency }, theirs]) => `assets:${kind}:${name} ${currency} ${moneyText(theirs)}`);
  expect(closings.length).toBeGreaterThan(2);
  expect(closings.filter((line) => !held.has(line))).toEqual([]);
});
