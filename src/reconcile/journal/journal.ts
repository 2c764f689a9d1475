import type { JournalEntry } from '../../domain/journal/entry.ts';
import { CLEARING_ACCOUNTS } from '../../domain/journal/words.ts';
import { money } from '../../domain/money/amount.ts';
import { isAt } from '../../domain/statements/lines.ts';
import { enterBooks } from './books.ts';
import { moneyRole } from './cast.ts';
import { accountsOf, type Draft, draftOf } from './draft.ts';
import { bringForward } from './earlier.ts';
import { JournalError } from './error.ts';
import type { JournalInput } from './input.ts';
import { carryUnstated, postItems } from './items.ts';
import { enterMovements } from './movements.ts';
import { enterOpenings } from './opening.ts';
import { endPaidClaims } from './paid-claims.ts';
import { clearSettlements } from './settlements.ts';

/**
 * Makes the journal of a period, in its order and without numbers. Pure: the same input in any order gives the same entries.
 * Each clearing account ends at 0 per currency, wallet and bank at the statement's closing balance.
 *
 * @throws JournalError for an account that the map does not name, or shares, and for a journal that would not balance
 */
export function journalOf(input: JournalInput): JournalEntry[] {
  const draft = draftOf(input);
  enterOpenings(draft);
  bringForward(draft);
  enterBooks(draft);
  enterMovements(draft);
  clearSettlements(draft);
  postItems(draft);
  carryUnstated(draft);
  endPaidClaims(draft);
  const entries = draft.builder.entries();
  for (const entry of entries) expectBalance(draft, entry);
  expectCleared(draft, entries);
  expectClosings(draft);
  return entries;
}

function expectBalance(draft: Draft, { date, source, account, currency, lines }: JournalEntry): void {
  const sum = lines.reduce((total, { minor }) => total + minor, 0n);
  if (sum !== 0n)
    throw unbalanced(draft, `The ${source} entry of ${account} on ${date} is off by ${money(sum)} ${currency}`);
}

function expectCleared(draft: Draft, entries: readonly JournalEntry[]): void {
  const { builder } = draft;
  for (const role of CLEARING_ACCOUNTS) {
    for (const currency of new Set(entries.map((entry) => entry.currency))) {
      const left = builder.balanceOf(role, currency);
      if (left !== 0n) throw unbalanced(draft, `${role} would end at ${money(left)} ${currency} instead of 0.00`);
    }
  }
}

/** Wallet and bank hold what their statements close with. */
function expectClosings(draft: Draft): void {
  for (const stated of accountsOf(draft, 'money')) {
    const { account, currency, kind, balance } = stated;
    if (balance === null || isAt(kind, 'transit')) continue;
    const before = draft.input.earlier?.closings.find((one) => one.account === account && one.currency === currency);
    const now = (before?.theirs ?? 0n) + draft.builder.balanceOf(moneyRole(stated), currency, account);
    if (now === balance.closingTheirs) continue;
    const [ends, closes] = [now, balance.closingTheirs].map((minor) => `${money(minor)} ${currency}`);
    throw unbalanced(draft, `${account} would end at ${ends}, its statement closes at ${closes}`);
  }
}

function unbalanced({ input }: Draft, what: string): JournalError {
  const { from, to } = input.period;
  const hint = `Reconcile its days again, and look at what is unexplained: tallyhook reconcile --from ${from} --to ${to}`;
  return new JournalError('unbalanced', `The journal would not balance: ${what}.`, hint);
}
