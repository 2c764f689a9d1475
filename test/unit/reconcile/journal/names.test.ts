import { describe, expect, test } from 'vitest';
import { journalOf } from '../../../../src/reconcile/journal/journal.ts';
import { type AccountMap, accountNames } from '../../../../src/reconcile/journal/names.ts';
import { NAMES } from '../../../support/journal/months.ts';
import { SMALL_OCTOBER } from '../../../support/journal/small-months.ts';

const journalWith = (accounts: Partial<AccountMap>) =>
  journalOf({ ...SMALL_OCTOBER, names: accountNames({ ...NAMES, ...accounts }) });

describe('names of the ledger', () => {
  const names = accountNames({ ...NAMES, bank: { NGN: '1200', 'bank-dollar': '1210' }, fees: '6100' });

  test('the name of the account comes before that of its currency', () => {
    expect(names.nameOf('bank', 'bank-main', 'NGN')).toBe('1200');
    expect(names.nameOf('bank', 'bank-dollar', 'NGN')).toBe('1210');
    expect(names.nameOf('fees', 'wallet-main', 'USD')).toBe('6100');
  });

  test('what a plain text journal takes for something else does not come into a name', () => {
    expect(names.nameOf('wallet', 'my  wallet; (main)', 'NGN')).toBe('assets:wallet:my wallet- -main-');
    expect(names.nameOf('wallet', 'a$&b', 'NGN')).toBe('assets:wallet:a$&b');
  });

  test.each(['toString', '__proto__'])('an account that is called %s has no name', (account) => {
    expect(() => names.nameOf('bank', account, 'KES')).toThrow(
      `journal.accounts.bank names no account for ${account} in KES.`,
    );
  });
});

test('a missing name is refused with what to do', () => {
  expect(() => journalWith({ claims: { USD: 'assets:claims' } })).toThrow(
    expect.objectContaining({
      ...{ kind: 'configuration', message: 'journal.accounts.claims names no account for wallet-main in NGN.' },
      hint: 'Add "wallet-main" or NGN to journal.accounts.claims in tallyhook.yaml, then run it again.',
    }),
  );
});

test.each([
  [{ fees: 'clearing:sales' }, 'both sales_clearing and fees'],
  [{ wallet: 'money', carried: 'money' }, 'both wallet and carried'],
  [{ wallet: 'money', bank: 'money' }, null],
  [{ fees: 'costs', duty: 'costs' }, null],
] as const)('%j', (accounts, refusal) => {
  if (refusal === null) expect(journalWith(accounts).length).toBeGreaterThan(0);
  else expect(() => journalWith(accounts)).toThrow(refusal);
});

test('a journal that would not balance is refused', () => {
  const items = SMALL_OCTOBER.items.slice(1);
  expect(() => journalOf({ ...SMALL_OCTOBER, items })).toThrow(
    'The journal would not balance: sales_clearing would end at 0.50 NGN instead of 0.00.',
  );
  const accounts = SMALL_OCTOBER.accounts.map((one) => ({
    ...one,
    balance: one.balance && {
      ...one.balance,
      closingTheirs: one.balance.closingTheirs + BigInt(one.kind === 'wallet'),
    },
  }));
  expect(() => journalOf({ ...SMALL_OCTOBER, accounts })).toThrow(
    'wallet-main would end at 69.00 NGN, its statement closes at 69.01 NGN',
  );
});
