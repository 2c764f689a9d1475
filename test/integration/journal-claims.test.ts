import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClosingMonth } from '../support/closing-month.ts';
import { PROFILE } from '../support/statement-files.ts';
import { TestDatabase } from '../support/test-database.ts';

/* Two debits of October that the service owes us are claimed, and paid on 9 and 12 November. */

const NOVEMBER = '2026-11-01..2026-11-15';
const db = new TestDatabase();
const month = new ClosingMonth(db);
afterAll(() => db.remove());
const LATER = '2026-11-16..2026-11-20';
let [claimed, alsoClaimed] = ['', ''];
let paying = 0;

beforeAll(async () => {
  writeFileSync(
    join(db.folder, 'wallet.yaml'),
    PROFILE.replace('Payout: payout }', 'Payout: payout, Adjustment: adjustment }'),
  );
  await month.import(
    'october.csv',
    ['2026-10-01', 'C-1', 'Collection', '', '100.00', '1100.00'],
    ['2026-10-30', 'P-8', 'Payout', '', '-30.00', '1070.00'],
    ['2026-10-31', 'P-9', 'Payout', '', '-50.00', '1020.00'],
  );
  await month.reconcile();
  [claimed, alsoClaimed] = [await month.claim('P-9'), await month.claim('P-8')];
  await month.resolveAll();
  await close('2026-10');
  paying = await month.import(
    'november.csv',
    ['2026-11-09', '', 'Adjustment', 'Your claim', '50.00', '1070.00'],
    ['2026-11-12', 'S-1', 'Collection', 'Your other claim', '30.00', '1100.00'],
    ['2026-11-15', 'C-2', 'Collection', '', '20.00', '1120.00'],
  );
  await month.reconcile('2026-11-01', '2026-11-15');
});

async function close(period: string): Promise<void> {
  await month.shop.close(period, { by: 'Ada' });
}

async function pay(id: string, row: number): Promise<void> {
  const claim = { resolution: 'claim', reasonCode: 'service_error', lines: [{ statement: paying, row }] } as const;
  await month.shop.resolve([id], { ...claim, by: 'Ada' });
}

const balances = (period: string) => month.shop.held(period);

test('October has the claim as what the service owes', async () => {
  expect(await balances('2026-10')).toMatchObject({ claims: '80.00', 'clearing:sales': '0.00' });
});

test('the line that pays it makes a run stale, and the next run closes the claim and leaves nothing of it in the proof', async () => {
  await pay(claimed, 2);
  const { items } = await month.shop.check(NOVEMBER);
  expect(items[0]).toMatchObject({ state: 'open', text: 'since the run, 1 payment of a claim was named' });
  const run = await month.shop.reconcile({ from: '2026-11-01', to: '2026-11-15' });
  const rows = Object.fromEntries(
    run.proof[0].rows.map(({ name, ours, theirs }: Record<string, string>) => [name, [ours, theirs]]),
  );
  expect(rows).toMatchObject({ adjustments: ['0.00', '50.00'], other: ['0.00', '0.00'] });
  expect(run.proof[0].unexplained).toBe('0.00');
  expect(run.carried.map(({ reference }: { reference: string }) => reference)).not.toContain('P-9');
  expect(await month.stateOf('P-9')).toEqual(['missing_internal closed']);
});

test('the journal moves it from claims to clearing, and touches no other account', async () => {
  await month.resolveAll();
  await close(NOVEMBER);
  const moved = await balances(NOVEMBER);
  expect(moved).toEqual({
    claims: '-50.00',
    'assets:wallet:wallet-main': '100.00',
    'clearing:sales': '0.00',
    write_off: '-50.00',
  });
});

test('reopened and closed again, October has the claim as before, and November has to be reconciled after it', async () => {
  for (const period of [NOVEMBER, '2026-10']) await month.shop.reopen(period);
  await month.reconcile();
  expect(await month.stateOf('P-9')).toEqual(['missing_internal closed']);
  await close('2026-10');
  expect(await balances('2026-10')).toMatchObject({ claims: '80.00', 'clearing:sales': '0.00' });
  expect(await month.shop.journal('2026-10')).not.toContain('reversal');
  const { items } = await month.shop.check(NOVEMBER);
  expect(items[0]).toMatchObject({ state: 'open', text: 'since the run, closing 2 of period 2026-10 was made' });
  const { code, stderr } = await month.run('period', 'close', NOVEMBER, '--as', 'Ada');
  expect([code, stderr.split('\n')]).toEqual([
    1,
    expect.arrayContaining([
      expect.stringMatching(
        /Run \d+ of period 2026-11-01\.\.2026-11-15 is older than what it rests on: closing 2 of period 2026-10 was made since\./,
      ),
      expect.stringContaining('tallyhook reconcile --from 2026-11-01 --to 2026-11-15'),
    ]),
  ]);
  await month.reconcile('2026-11-01', '2026-11-15');
  await close(NOVEMBER);
  expect(await balances(NOVEMBER)).toMatchObject({ claims: '-50.00', 'clearing:sales': '0.00' });
});

test('a payment that is named after its days were closed ends the claim in the first open period', async () => {
  await pay(alsoClaimed, 3);
  await month.import('later.csv', ['2026-11-20', 'C-3', 'Collection', '', '5.00', '1125.00']);
  await month.reconcile('2026-11-16', '2026-11-20');
  expect([await month.stateOf('P-8'), await month.stateOf('S-1')]).toEqual([
    ['missing_internal closed'],
    ['missing_internal closed'],
  ]);
  await month.resolveAll();
  await close(LATER);
  expect(await balances(LATER)).toEqual({
    claims: '-30.00',
    'assets:wallet:wallet-main': '5.00',
    'clearing:sales': '0.00',
    // S-1 was accepted in the closed days, which is taken back; C-3 is accepted now.
    write_off: '25.00',
  });
});
