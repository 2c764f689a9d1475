import { isAt } from '../../domain/statements/lines.ts';
import { daysOf, natureOf } from './days.ts';
import { accountsOf, type Draft } from './draft.ts';
import { ON_THE_WAY } from './earlier.ts';
import type { StatedAccount } from './input.ts';

/**
 * Empties the clearing account of settlements and top-ups of what no exception explains: batches that settlement statements show
 * without a wallet, money between a wallet and a bank at the end of the period, and what has its other side in no statement.
 */
export function clearSettlements(draft: Draft): void {
  for (const currency of draft.currencies) {
    const money = accountsOf(draft, 'money', currency);
    const hasBank = money.some(({ kind }) => isAt(kind, 'bank'));
    const origin = money.find(({ kind }) => isAt(kind, 'service')) ?? money.find(({ kind }) => isAt(kind, 'transit'));
    const [first] = money;
    if (origin !== undefined && hasBank && showsSettlements(draft, origin)) {
      carryOn(draft, money, origin);
      continue;
    }
    // Nothing shows any more that it arrived.
    if (first !== undefined) carryOn(draft, [], first);
    if (origin !== undefined && hasBank) {
      clearDaily(draft, money, { stated: origin, role: 'wallet_pending', text: 'Batches paid out' });
    } else if (first !== undefined) {
      const text = 'Settlements and top-ups whose other side has no statement';
      clearDaily(draft, money, { stated: first, role: 'other', text });
    }
  }
}

/** A wallet does by its nature; settlement statements may list the collections of their batches alone. */
function showsSettlements({ input }: Draft, stated: StatedAccount): boolean {
  return isAt(stated.kind, 'service') || settlementsOf(input, stated).some(({ ours }) => ours !== 0n);
}

/** What one of the accounts has and the other not yet: it arrives in a later period. */
function carryOn(
  { input, builder }: Draft,
  money: readonly StatedAccount[],
  { account, currency }: StatedAccount,
): void {
  const moved = money.flatMap((stated) => settlementsOf(input, stated)).reduce((sum, { ours }) => sum + ours, 0n);
  const left = moved - broughtForward(input, currency);
  const head = { date: input.period.to, source: 'carried' as const, account, currency };
  const words = { text: 'On the way between wallet and bank', subject: ON_THE_WAY };
  builder.post(head, { role: 'settlement_clearing' }, left, words);
  builder.post(head, { role: 'carried' }, -left, words);
}

function broughtForward({ earlier }: Draft['input'], currency: string): bigint {
  const carried = (earlier?.last ?? []).filter((one) => one.source === 'carried' && one.currency === currency);
  const lines = carried.flatMap(({ lines }) => lines);
  const own = lines.filter(({ role, subject }) => role === 'settlement_clearing' && subject === ON_THE_WAY);
  return own.reduce((sum, { minor }) => sum - minor, 0n);
}

interface Cleared {
  readonly stated: StatedAccount;
  readonly role: 'wallet_pending' | 'other';
  readonly text: string;
}

function clearDaily(
  { input, builder, dateOf }: Draft,
  money: readonly StatedAccount[],
  { stated, role, text }: Cleared,
): void {
  const { account, currency } = stated;
  for (const { date, ours } of money.flatMap((one) => settlementsOf(input, one))) {
    const head = { date: dateOf(date, currency), source: 'movement' as const, account, currency };
    builder.post(head, { role: 'settlement_clearing' }, ours, { text });
    builder.post(head, { role }, -ours, { text });
  }
}

function settlementsOf(input: Draft['input'], stated: StatedAccount) {
  return daysOf(input, stated).filter((day) => natureOf(day) === 'settlement');
}
