import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { at, sale, told } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/* Charges in rows of their own: those that carry nothing but the session of their payout, and those of a payment that is only suggested. */

const PROFILE = datedProfile(
  'wallet',
  { Payout: 'payout', Fee: 'fee', Tax: 'tax' },
  { columns: ['reference', 'sessionId', 'type'], file: undefined, covers: undefined },
);

test('charges of a session join the payout of that session; those of an unknown one stand apart', async () => {
  const times = { created_at: at(6), updated_at: at(6) };
  const money = { amount: '200.00', fee: '5.38', stamp_duty: '0.00', session_id: 'S1' };
  const shop = await Shop.of([told('payout', 'P1', { status: 'completed', ...money, ...times })]);
  const lines = ['P1,S1,Payout,-200.00', ',S1,Fee,-5.00', ',S1,Tax,-0.38', ',S9,Fee,-1.00'];
  const text = ['Date,Reference,Session,Type,Amount', ...lines.map((line) => `2026-10-06,${line}`)].join('\n');
  shop.file('wallet.yaml', PROFILE);
  await shop.take('wallet', 'wallet.csv', `${text}\n`);
  const { breaks, proof } = await shop.reconcile({ from: '2026-10-06', to: '2026-10-06' });
  expect(breaks).toEqual([]);
  const [{ rows, unexplained }] = proof;
  expect(rows.at(-1)).toMatchObject({ ours: '-206.38', theirs: '-206.38' });
  expect(unexplained).toBe('0.00');
});

/*
 * Collected 1,000.00 with a fee of 20.00 and VAT of 1.50: 978.50 by us. The wallet names it otherwise, and so it names its fee and VAT;
 * what a fee row without a payment charges is no part of it.
 */
test('the fee and the VAT of a suggested payment go with it, and stay with it once a person confirms it', async () => {
  const shop = await Shop.of([sale('S-1', '1000.00', '21.50')]);
  const types = { Sale: 'collection', Fee: 'fee', VAT: 'tax' } as const;
  shop.file('wallet.yaml', datedProfile('wallet', types));
  const rows = ['BANK-9,Sale,1000.00', 'BANK-9,Fee,-20.00', 'BANK-9,VAT,-1.50', 'BANK-8,Fee,-0.70'];
  const text = rows.map((row) => `2026-10-05,${row}\n`).join('');
  await shop.take('wallet', 'wallet.csv', `From,2026-10-01,To,2026-10-31\nDate,Reference,Type,Amount\n${text}`);
  const days = { from: '2026-10-01', to: '2026-10-31' };
  const stray = { code: 'missing_internal', reference: 'BANK-8', effect: '-0.70' };

  const { suggested, breaks, proof } = await shop.reconcile(days);
  expect(suggested).toMatchObject([{ code: 'suggested', reference: 'S-1', effect: '0.00' }]);
  expect(breaks).toMatchObject([stray]);
  expect(proof[0].rows.at(-1)).toMatchObject({ ours: '978.50', theirs: '977.80' });
  expect(proof[0].unexplained).toBe('0.00');

  const [match] = await shop.matches({ states: ['suggested'] });
  await shop.decide(match.id);
  const confirmed = await shop.reconcile(days);
  expect(confirmed.suggested).toEqual([]);
  expect(confirmed.breaks).toMatchObject([stray]);
  const rowOf = (name: string) => confirmed.proof[0].rows.find((row: { name: string }) => row.name === name);
  expect(rowOf('fees')).toMatchObject({ ours: '-20.00', theirs: '-20.70', difference: '-0.70' });
  expect(rowOf('tax')).toMatchObject({ ours: '-1.50', theirs: '-1.50', difference: '0.00' });
  expect(confirmed.proof[0].unexplained).toBe('0.00');
});
