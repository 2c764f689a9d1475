import { describe, expect, test } from 'vitest';
import { numberEntries } from '../../../../src/domain/journal/numbering.ts';
import { journalOf } from '../../../../src/reconcile/journal/journal.ts';
import { type AccountMap, accountNames } from '../../../../src/reconcile/journal/names.ts';
import { NAMES } from '../../../support/journal/months.ts';
import { SMALL_NOVEMBER, SMALL_OCTOBER } from '../../../support/journal/small-months.ts';

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
  [{ sales_clearing: 'clearing', settlement_clearing: 'clearing' }, 'both sales_clearing and settlement_clearing'],
  [{ wallet: 'equity:opening' }, 'both wallet and the account of opening balances'],
  [{ fees: 'costs', duty: 'costs' }, null],
] as const)('%j', (accounts, refusal) => {
  if (refusal === null) expect(journalWith(accounts).length).toBeGreaterThan(0);
  else expect(() => journalWith(accounts)).toThrow(refusal);
});

const CURE = 'Give each a name of its own in journal.accounts of tallyhook.yaml, then run it again.';

test('a bank that moves in a later month than the wallet of its name is refused as well', () => {
  const names = accountNames({ ...NAMES, wallet: 'money', bank: 'money' });
  const october = numberEntries([], journalOf({ ...SMALL_OCTOBER, names }), 1);
  const november = SMALL_NOVEMBER(october);
  const isOfBank = ({ account }: { account: string }) => account === 'bank-main';
  const days = november.days.filter(isOfBank);
  expect(() => journalOf({ ...november, names, days })).toThrow(
    expect.objectContaining({ message: `The journal's account "money" is both wallet and bank.`, hint: CURE }),
  );
});

test('a reason code whose account is the wallet is refused with where both names stand', () => {
  const items = SMALL_OCTOBER.items.map((item) => ({ ...item, target: { name: 'assets:wallet:wallet-main' } }));
  expect(() => journalOf({ ...SMALL_OCTOBER, items })).toThrow(
    expect.objectContaining({
      message: `The journal's account "assets:wallet:wallet-main" is both wallet and the account of a reason code.`,
      hint: CURE.replace('journal.accounts', 'journal.accounts or exceptions.reasons'),
    }),
  );
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
