import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';

/* Days of September and October are in no statement, and 30.00 moved in them. */

const PROFILE = datedProfile(
  'wallet',
  { Transfer: 'transfer' },
  {
    file: { skipRows: 1, footer: 1 },
    balance: { opening: { row: -1, column: 3 }, closing: { row: -1, column: 4 } },
  },
);
const WITH_BEGIN = 'reconcile: { begin: { date: 2026-09-01, balances: { wallet: { NGN: "1000.00" } } } }\n';

/** September until the 25th ends with 1,100.00; October opens with 1,130.00 on this day. */
async function months(day: string) {
  const shop = await Shop.of([]);
  shop.file('wallet.yaml', PROFILE);
  const take = ([from, to]: readonly [string, string], line: string, balances: string) =>
    shop.take('wallet', `${from}.csv`, `From,${from},To,${to}\nDate,Reference,Type,Amount\n${line}\n,,${balances}\n`);
  await take(['2026-09-01', '2026-09-25'], '2026-09-10,L1,Transfer,100.00', '1000.00,1100.00');
  await take([day, '2026-10-31'], '2026-10-10,L2,Transfer,50.00', '1130.00,1180.00');
  return {
    begin: () => shop.file('tallyhook.yaml', WITH_BEGIN),
    /** The breaks; of the proof the opening and closing balance by us and by the statement. */
    async reconcile(from: string, to: string) {
      const { breaks, proof } = await shop.reconcile({ from, to });
      const [{ rows, unexplained }] = proof;
      const ends = [rows[0], rows.at(-1)].flatMap(({ ours, theirs }) => [ours, theirs]);
      expect(unexplained).toBe('0.00');
      return { breaks: breaks as Record<string, string>[], ends };
    },
  };
}

const gaps = (breaks: readonly Record<string, string>[]) =>
  breaks.filter(({ field }) => field === 'opening').map(({ id, variance, effect }) => [id, variance, effect]);

test.each([
  ['nothing before it is closed', async () => {}],
  ['with an opening balance of our own', async ({ begin }: Awaited<ReturnType<typeof months>>) => begin()],
] as const)(
  'a gap of two months has one effect, in one run over both and in that of October: %s',
  async (_, prepare) => {
    const both = await months('2026-10-06');
    const whole = gaps((await both.reconcile('2026-09-01', '2026-10-31')).breaks);
    expect(whole).toEqual([[expect.stringMatching(/^x-/), '30.00', '30.00']]);
    const apart = await months('2026-10-06');
    await prepare(apart);
    const { breaks, ends } = await apart.reconcile('2026-10-01', '2026-10-31');
    expect(gaps(breaks)).toEqual(whole);
    expect(ends).toEqual(['1100.00', '1100.00', '1150.00', '1180.00']);
  },
);

test('a statement that begins with the month gives the opening balance of both sides: the gap is in no balance of it', async () => {
  const { reconcile } = await months('2026-10-01');
  const { breaks, ends } = await reconcile('2026-10-01', '2026-10-31');
  expect(gaps(breaks)).toEqual([[expect.stringMatching(/^x-/), '30.00', '0.00']]);
  expect(ends).toEqual(['1130.00', '1130.00', '1180.00', '1180.00']);
});
