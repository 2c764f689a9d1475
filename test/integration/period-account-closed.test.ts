import { expect, test } from 'vitest';
import { ClosingMonth, OCTOBER } from '../support/closing-month.ts';
import { PROFILE } from '../support/statement-files.ts';

/* The shop gives up a wallet in October, empty. Its other wallet goes on in November. */

const GIVEN_UP = ['2026-10-14,P-1,Payout,,-10.00,0.00', ''].join('\n');

const NOVEMBER = '2026-11-01..2026-11-20';

test('months after the last day of a closed account are closed once the configuration states that day', async () => {
  const month = await ClosingMonth.of();
  const { file } = month.shop;
  file('old.yaml', PROFILE.replace('wallet-main', 'wallet-old').replace('wallet-standard', 'wallet-old'));
  file('old.csv', `Date,Reference,Type,Details,Amount,Balance\n${GIVEN_UP}`);
  await month.run('statements', 'import', 'old.csv', '--profile', 'old.yaml');
  await month.ready();
  expect(await month.run('period', 'close', '2026-10', '--as', 'Ada')).toMatchObject({ code: 0 });
  await month.import('november.csv', OCTOBER.with(0, '2026-11-02').with(1, 'C-3').with(5, '1250.00'));
  await month.reconcile('2026-11-01', '2026-11-20');
  await month.resolveAll();
  const open = await month.shop.check(NOVEMBER);
  expect(open.items.filter(({ state }: { state: string }) => state === 'open')).toMatchObject([
    {
      name: 'statements',
      text: 'no statement of wallet-old covers these days',
      next: expect.stringMatching(/periods\.until$/),
    },
  ]);
  file('tallyhook.yaml', 'periods: { until: { wallet-old: 2026-10-14 } }\n');
  const { items } = await month.shop.check(NOVEMBER);
  expect(items.find(({ name }: { name: string }) => name === 'statements')).toMatchObject({
    ...{ state: 'note', text: expect.stringContaining('wallet-old was closed on 2026-10-14') },
  });
  const { code, stderr } = await month.run('period', 'close', NOVEMBER, '--as', 'Ada');
  expect([code, stderr]).toEqual([0, '']);
  const journal = await month.run('report', 'journal', NOVEMBER, '--format', 'hledger');
  expect([journal.code, journal.stderr]).toEqual([0, '']);
  expect(journal.stdout).toContain('assets:wallet:wallet-main');
});
