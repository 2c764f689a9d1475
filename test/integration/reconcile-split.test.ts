import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { comparable } from '../support/month/same-report.ts';
import { at, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/*
 * Files that state no days. Nothing moved on the weekend between two of them, but a collection of Saturday should have: it is missing, as
 * it is in one file of all lines.
 */

const profile = (kind: string, settings = {}) =>
  datedProfile(kind, { Sale: 'collection' }, { account: `a-${kind}`, file: undefined, covers: undefined, ...settings });
const PROFILES = { wallet: profile('wallet', { balance: { running: 'Balance' } }), ledger: profile('ledger') };
const HEADERS = { wallet: 'Date,Reference,Type,Amount,Balance', ledger: 'Date,Reference,Type,Amount' };
const LINES = {
  wallet: [
    '2026-10-02,FRI,Sale,100.00,100.00',
    '2026-10-05,MON,Sale,100.00,200.00',
    '2026-10-08,THU,Sale,100.00,300.00',
  ],
  ledger: ['2026-10-02,FRI,Sale,100.00', '2026-10-05,MON,Sale,100.00', '2026-10-08,THU,Sale,100.00'],
} as const;

function sale(reference: string, day: number) {
  const times = { created_at: at(day), paid_at: at(day), updated_at: at(day) };
  return told('collection', reference, { amount: '100.00', requested_amount: '100.00', fees: '0.00', ...times });
}

test.each(['wallet', 'ledger'] as const)(
  'a %s in one file and in one for each day give the same report',
  async (kind) => {
    const shop = await Shop.of([sale('FRI', 2), sale('SAT', 3), sale('MON', 5), sale('THU', 8)]);
    shop.file(`${kind}.yaml`, PROFILES[kind]);
    const textOf = (...lines: readonly string[]) => `${[HEADERS[kind], ...lines].join('\n')}\n`;
    const reconcile = () => shop.reconcile({ from: '2026-10-01', to: '2026-10-31' }, { dryRun: true });

    const statement = await shop.take(kind, 'whole.csv', textOf(...LINES[kind]));
    const whole = await reconcile();
    expect(whole.breaks).toMatchObject([{ code: 'missing_external', reference: 'SAT', leg: `records-${kind}` }]);
    expect(whole.noStatement).toEqual({});
    await shop.remove(statement);
    for (const line of LINES[kind]) await shop.take(kind, `${line.slice(0, 10)}.csv`, textOf(line));
    expect(comparable(JSON.stringify(await reconcile()))).toBe(comparable(JSON.stringify(whole)));
  },
);
