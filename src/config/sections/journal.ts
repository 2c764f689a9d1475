import { z } from 'zod';
import { JOURNAL_ACCOUNTS, JOURNAL_GROUPINGS, type JournalAccount } from '../../domain/journal/words.ts';
import { oneOf, section } from '../settings.ts';

const NAME_RULE =
  'must be a name such as assets:bank, with single blanks and without ; " \' ( ) [ ] { } * ! = @ | or a line end';
const NAMES_RULE = 'must be a name, or a map of currencies or accounts to names';
/** What a plain text journal takes for something else. */
const NAME = /^(?! )(?!.* {2})[^;"'()[\]{}*!=@|\p{Cc}]+(?<! )$/u;

const NAMES: Readonly<Partial<Record<JournalAccount, string>>> = {
  wallet: 'assets:wallet:ACCOUNT',
  bank: 'assets:bank:ACCOUNT',
  sales_clearing: 'clearing:sales',
  settlement_clearing: 'clearing:settlement',
};

const DESCRIPTIONS: Readonly<Record<JournalAccount, string>> = {
  wallet: "The wallet at the service; ACCOUNT stands for the statement's account.",
  wallet_pending: 'Collections that wait for their settlement, where settlement statements stand without a wallet.',
  refund_reserve: 'What the service holds for refunds.',
  sales_clearing: 'Between sales and the wallet; 0 at the end of every period.',
  settlement_clearing: 'Between the wallet and the bank; 0 at the end of every period.',
  bank: "The bank; ACCOUNT stands for the statement's account.",
  fees: 'Fees of the service.',
  input_tax: 'Tax on fees.',
  duty: 'Stamp duty.',
  chargebacks: 'Chargebacks.',
  write_off: 'Differences that you bear, where the reason code names no account.',
  claims: 'What the service owes.',
  carried: 'What is open at the end of a period and brought back on the first day of the next.',
  payouts: 'Payouts to beneficiaries.',
  sales: 'Sales, against clearing.',
  refunds: 'Refunds, against clearing.',
  other: 'Corrections that are awaited, adjustments, and what has no other side.',
};

/** How the accounts are called in the ledger that takes the journal. */
export const journal = section({
  by: oneOf(JOURNAL_GROUPINGS, 'day', 'What the movements of one entry have in common when a period is closed.'),
  accounts: section(
    Object.fromEntries(
      JOURNAL_ACCOUNTS.map((account) => [account, ledgerAccount(NAMES[account] ?? account, DESCRIPTIONS[account])]),
    ) as Record<JournalAccount, ReturnType<typeof ledgerAccount>>,
  ),
});

function ledgerAccount(standard: string, description: string) {
  const name = z.string(NAME_RULE).regex(NAME, NAME_RULE);
  const names = z.record(z.string().regex(/\S/, 'is no currency and no account'), name, NAMES_RULE);
  return z.union([name, names], NAMES_RULE).default(standard).describe(description);
}
