import { afterAll, expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { OCTOBER } from '../support/month/days.ts';
import { type RunOptions, Shop } from '../support/shop/shop.ts';
import { TestDatabase } from '../support/test-database.ts';

/* A wallet and a bank, and no settlement statement: what left the wallet for the bank has no other side. No rule compares other lines. */

const db = new TestDatabase();
afterAll(() => db.remove());
const shop = Shop.at(db.folder);

const TYPES = { Settlement: 'settlement', 'Top-up': 'top_up', Sale: 'collection', Other: 'other' } as const;
const HEAD = 'Date,Group,Type,Amount';

async function statement(kind: string, lines: readonly string[], of = shop): Promise<void> {
  const settings = { account: `${kind}-main`, columns: ['group', 'type'], file: undefined, covers: undefined } as const;
  of.file(`${kind}.yaml`, datedProfile(kind, TYPES, settings));
  await of.take(kind, `${kind}.csv`, `${HEAD}\n${lines.join('\n')}\n`);
}
const uncompared = async (options: RunOptions = {}) => (await shop.reconcile(OCTOBER, options)).uncompared;

const OF_WALLET = {
  ...{ environment: 'test', account: 'wallet-main', currency: 'NGN', type: 'settlement', leg: 'batch-wallet' },
  ...{ lacks: 'settlement', lines: 2, moved: '-6901.00' },
};
const OTHER = { ...OF_WALLET, account: 'bank-main', type: 'other', leg: null, lacks: null, lines: 1, moved: '-3.00' };
const OF_BANK = { ...OF_WALLET, account: 'bank-main', leg: 'batch-bank', lines: 1, moved: '5001.00' };

test('lines whose other side has no statement are no breaks, and the report names them', async () => {
  const before = '2026-09-30,B-0,Settlement,-1.00';
  await statement('wallet', [before, '2026-10-05,B-1,Settlement,-5901.00', '2026-10-06,B-2,Settlement,-1000.00']);
  await statement('bank', ['2026-10-06,B-1,Settlement,5001.00', '2026-10-07,,Other,-3.00']);
  const { code, stdout } = await shop.run('reconcile', '--from', OCTOBER.from, '--to', OCTOBER.to);
  expect(code).toBe(0);
  expect(stdout).toContain('No breaks');
  expect(stdout).toContain(
    '2 settlement lines of wallet-main (test), 6901.00 NGN in all, were compared with nothing: no settlement statement covers them. Import one: tallyhook statements import FILE --profile PROFILE',
  );
  expect(stdout).toContain('1 settlement line of bank-main (test), 5001.00 NGN in all, was compared with nothing');
  expect(stdout).toContain(
    '1 other line of bank-main (test), 3.00 NGN in all, was compared with nothing: no rule compares it.\n',
  );
  expect(await uncompared()).toEqual([OTHER, OF_BANK, OF_WALLET]);
});

test('of a leg or an account those alone, and of some records none', async () => {
  expect(await uncompared({ what: 'batch-bank' })).toEqual([OF_BANK]);
  expect(await uncompared({ account: 'wallet-main' })).toEqual([OF_WALLET]);
  expect(await uncompared({ what: 'refunds' })).toEqual([]);
});

test('with a settlement statement only those that no rule compares', async () => {
  await statement('settlement', ['2026-10-05,B-1,Sale,5901.00', '2026-10-06,B-2,Sale,1000.00']);
  expect(await uncompared()).toEqual([OTHER]);
  expect(await shop.page(OCTOBER)).not.toContain('no settlement statement');
});

test('a top-up of the wallet needs the bank, and one of the bank the wallet', async () => {
  const other = await Shop.of();
  await statement('wallet', ['2026-10-05,T-1,Top-up,100.00'], other);
  expect(await other.page(OCTOBER)).toContain(
    '1 top-up line of wallet-main (test), 100.00 NGN in all, was compared with nothing: no bank',
  );
  await statement('bank', ['2026-10-05,T-1,Top-up,-90.00'], other);
  const compared = await other.reconcile(OCTOBER);
  expect(compared.uncompared).toEqual([]);
  const legs = [...compared.breaks, ...compared.timing].map(({ leg }: { leg: string }) => leg);
  expect(legs).toEqual(['topup-bank', 'topup-bank']);
});
