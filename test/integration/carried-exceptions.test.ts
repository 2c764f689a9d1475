import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { sale } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/* `carry` ends with its period: in the next the exception stands open again, and is closed once its cause is gone. */

const OCTOBER = { from: '2026-10-01', to: '2026-10-31', period: '2026-10' };
const NOVEMBER = { from: '2026-11-01', to: '2026-11-20', period: '2026-11-01..2026-11-20' };
type Days = typeof OCTOBER;

const TYPES = { Sale: 'collection', 'Paid out': 'settlement', 'Top-up': 'top_up', Other: 'adjustment' } as const;

/** A shop with the sales A and B. */
async function shop() {
  const { listed, reconcile, check, report, take, file, ...opened } = await Shop.of([
    sale('A', '100.00'),
    sale('B', '100.00'),
  ]);
  let files = 0;
  return {
    ...{ listed, reconcile, check, report, run: opened.run },
    take(kind: string, { from, to }: Days, ...lines: readonly string[]): Promise<number> {
      const columns = ['reference', 'group', 'type'] as const;
      file(`${kind}.yaml`, datedProfile(kind, TYPES, { account: `a-${kind}`, columns }));
      const text = `From,${from},To,${to},\nDate,Reference,Group,Type,Amount\n${lines.join('\n')}\n`;
      return take(kind, `${kind}-${files++}.csv`, text);
    },
    /** Carries everything that is not resolved, and closes the period. */
    async close({ period }: Days): Promise<void> {
      const ids = (await listed({ status: ['open'] })).map(({ id }: { id: string }) => id);
      await opened.resolve(ids, { resolution: 'carry', reasonCode: 'next_period' });
      await opened.close(period);
    },
    /** What the entries of a closed period leave in each account, without those that it leaves at 0.00. */
    async held({ period }: Days): Promise<Record<string, string>> {
      return Object.fromEntries(Object.entries(await opened.held(period)).filter(([, sum]) => sum !== '0.00'));
    },
    one: opened.exception,
  };
}

const WALLET = ['2026-10-05,A,S1,Sale,100.00', '2026-10-05,B,S1,Sale,100.00'];

test('of a settlement account', async () => {
  const { take, reconcile, close, one, listed, run } = await shop();
  await take('wallet', OCTOBER, ...WALLET);
  await take(
    'settlement',
    OCTOBER,
    '2026-10-06,A,S1,Sale,100.00',
    '2026-10-06,X,S1,Sale,7.00',
    'no day,Y,S1,Sale,1.00',
  );
  await reconcile(OCTOBER);
  const found = (await listed({ account: 'a-settlement' })) as { id: string; code: string }[];
  expect(found.map(({ code }) => code).sort()).toEqual(['missing_external', 'missing_internal', 'unparsed']);
  await close(OCTOBER);

  // No file of November yet: what is said of files waits for one.
  await reconcile(NOVEMBER);
  await take('wallet', NOVEMBER);
  await take('settlement', NOVEMBER, '2026-11-02,Z,,Other,1.00');
  const { carried } = await reconcile(NOVEMBER);
  const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id).sort();
  expect(ids(carried.filter(({ account }: { account: string }) => account === 'a-settlement'))).toEqual(ids(found));
  for (const { id } of found)
    expect(await one(id)).toMatchObject({ status: 'open', date: expect.stringMatching('2026-10') });
  const { stdout } = await run('reconcile', '--from', NOVEMBER.from, '--to', NOVEMBER.to, '--dry-run');
  for (const { id } of found) expect(stdout).toContain(`\n${id}  `);
  expect(stdout).toMatch(/\nOpen from before\n.*\nmissing_external: Ask/s);

  // The line of B comes.
  const missing = found.find(({ code }) => code === 'missing_external')?.id ?? '';
  await take('settlement', NOVEMBER, '2026-11-02,Z,,Other,1.00', '2026-11-10,B,S2,Sale,100.00');
  await reconcile(NOVEMBER);
  expect(await one(missing)).toMatchObject({ status: 'closed' });
  await close(NOVEMBER);
});

test('of books, a bank, a batch and a top-up', async () => {
  const { take, reconcile, close, one, listed } = await shop();
  await take('wallet', OCTOBER, ...WALLET, '2026-10-06,S1,S1,Paid out,-200.00', '2026-10-07,T1,,Top-up,50.00');
  await take('settlement', OCTOBER, '2026-10-06,A,S1,Sale,100.00', '2026-10-06,B,S1,Sale,100.00');
  await take('ledger', OCTOBER, '2026-10-05,A,,Sale,100.00');
  await take('bank', OCTOBER, '2026-10-09,Q,Q,Paid out,9.00');
  await reconcile(OCTOBER);
  const found = (await listed()) as { id: string; leg: string; code: string; reference: string }[];
  expect(found.map(({ leg, code, reference }) => `${leg} ${code} ${reference}`).sort()).toEqual([
    'batch-bank missing_external S1',
    'batch-bank missing_internal Q',
    'records-ledger missing_external B',
    'topup-bank missing_external T1',
  ]);
  await close(OCTOBER);

  for (const kind of ['wallet', 'settlement', 'ledger']) await take(kind, NOVEMBER, '2026-11-02,Z,,Other,1.00');
  await take('bank', NOVEMBER, '2026-11-02,Z,,Other,1.00');
  await reconcile(NOVEMBER);
  for (const { id } of found) expect(await one(id)).toMatchObject({ status: 'open' });

  await take('ledger', NOVEMBER, '2026-11-02,Z,,Other,1.00', '2026-11-03,B,,Sale,100.00');
  await take(
    'bank',
    NOVEMBER,
    ...['2026-11-02,Z,,Other,1.00', '2026-11-04,S1,S1,Paid out,200.00', '2026-11-05,T1,,Top-up,-50.00'],
  );
  const { proof } = await reconcile(NOVEMBER);
  expect(proof.map(({ unexplained }: { unexplained: string }) => unexplained)).toEqual(['0.00', '0.00']);
  for (const { id, reference } of found) {
    expect([reference, (await one(id)).status]).toEqual([reference, reference === 'Q' ? 'open' : 'closed']);
  }
  await close(NOVEMBER);
});

test('a suggestion in books without a balance is carried into the next period, and waits there to be confirmed, too', async () => {
  const { take, reconcile, close, check, report } = await shop();
  await take('wallet', OCTOBER, ...WALLET);
  await take('ledger', OCTOBER, '2026-10-05,A,,Sale,100.00', '2026-10-06,,,Sale,100.00');
  const suggestedIn = async (days: Days) => {
    const { suggested, carried } = await reconcile(days);
    const names = (all: readonly { code: string; reference: string }[]) =>
      all.flatMap(({ code, reference }) => (code === 'suggested' ? [reference] : []));
    const { items } = await check(days.period);
    const { waiting } = await report(days.period);
    return {
      named: { suggested: names(suggested), carried: names(carried) },
      check: items.find(({ name }: { name: string }) => name === 'suggestions').text,
      page: waiting.map(({ list, account, count }: Record<string, string>) => [list, account, count]),
    };
  };
  const standsIn = (list: 'suggested' | 'carried') => ({
    named: { suggested: [], carried: [], [list]: ['B'] },
    ...{ check: '1 suggestion is carried', page: [[list, 'a-ledger', 1]] },
  });
  expect(await suggestedIn(OCTOBER)).toEqual(standsIn('suggested'));
  await close(OCTOBER);
  await take('wallet', NOVEMBER);
  await take('ledger', NOVEMBER, '2026-11-02,Z,,Other,1.00');
  expect(await suggestedIn(NOVEMBER)).toEqual(standsIn('carried'));
  await close(NOVEMBER);
});

test('without a wallet, where its money waits in the journal until the line comes', async () => {
  const { take, reconcile, close, one, listed, held } = await shop();
  await take('settlement', OCTOBER, '2026-10-06,A,S1,Sale,100.00');
  await take('bank', OCTOBER, '2026-10-07,S1,S1,Paid out,100.00');
  await reconcile(OCTOBER);
  const [{ id }] = await listed();
  await close(OCTOBER);
  // By hand: both sales are ours, one of them was paid out.
  const october = { 'assets:bank:a-bank': '100.00', sales: '-200.00', carried: '100.00' };
  expect(await held(OCTOBER)).toEqual(october);

  const first = { from: '2026-11-01', to: '2026-11-10', period: '2026-11-01..2026-11-10' };
  const second = { from: '2026-11-11', to: '2026-11-20', period: '2026-11-11..2026-11-20' };
  await take('settlement', first, '2026-11-02,Z,,Other,1.00');
  await take('bank', first, '2026-11-02,Z,,Other,1.00');
  await reconcile(first);
  expect(await one(id)).toMatchObject({ status: 'open' });
  await close(first);
  // Each of the two accounts shows 1.00 that has no other side.
  expect(await held(first)).toEqual({ 'assets:bank:a-bank': '1.00', wallet_pending: '1.00', other: '-2.00' });

  await take('settlement', second, '2026-11-12,B,S2,Sale,100.00');
  await take('bank', second, '2026-11-13,S2,S2,Paid out,100.00');
  await reconcile(second);
  expect(await one(id)).toMatchObject({ status: 'closed' });
  await close(second);
  expect(await held(second)).toEqual({ 'assets:bank:a-bank': '100.00', carried: '-100.00' });
});
