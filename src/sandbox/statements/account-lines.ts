import { balance } from '../business/ledger.ts';
import type { Money } from '../world/money.ts';
import { recordKey, scopeKey } from '../world/records.ts';
import type { AccountName, Entry } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { localTimes } from './days.ts';
import type { Line, Span, Statement } from './statement.ts';

/**
 * The statement of the balance (available and pending money, without what refunds reserve), of a named wallet, or of the
 * merchant's bank account. It is counted back from today's balance, so entries that were dropped before it do no harm.
 */
export function accountStatement(world: World, span: Span): Statement {
  const accounts = accountsOf(span);
  const timeOf = localTimes(span.zone);
  const scope = scopeKey(span);
  const lines: Line[] = [];
  let later = 0n;
  let last: Entry | undefined;
  for (const entry of world.state.books.entries) {
    if (entry.scope !== scope || entry.currency !== span.currency) continue;
    const amount = changeOf(entry, accounts);
    const previous = last;
    last = entry;
    if (amount === 0n) continue;
    const time = timeOf(entry.at);
    if (time.date < span.from) continue;
    if (time.date > span.to) {
      later += amount;
      continue;
    }
    const known = lines.at(-1);
    // one movement in two entries: a reservation from available and from pending money, a returned payout with its fee
    if (known && previous && continues(entry, previous) && known.amount > 0n === amount > 0n)
      lines[lines.length - 1] = { ...known, amount: known.amount + amount };
    else lines.push(lineOf(world, span, { entry, amount, ...time }));
  }
  const now = accounts.reduce((sum, name) => sum + balance(world, span, name), 0n);
  return { ...span, opening: now - later - lines.reduce((sum, { amount }) => sum + amount, 0n), lines };
}

function accountsOf({ kind, wallet }: Span): AccountName[] {
  if (kind === 'bank') return ['bank'];
  return wallet === null ? ['available', 'pending'] : [`wallet:${wallet}`];
}

function changeOf({ from, to, amount }: Entry, accounts: readonly AccountName[]): Money {
  return (accounts.includes(to) ? amount : 0n) - (accounts.includes(from) ? amount : 0n);
}

const continues = (entry: Entry, previous: Entry): boolean =>
  entry.type === previous.type && entry.reference === previous.reference;

function lineOf(
  world: World,
  span: Span,
  { entry, amount, date, time }: { entry: Entry; amount: Money; date: string; time: string },
): Line {
  const { type, reason, reference } = entry;
  const { payouts, collections, refunds, books } = world.state;
  const payout = type.startsWith('payout') ? payouts.get(recordKey(span, reference)) : undefined;
  const collection = type.startsWith('collection') ? collections.get(recordKey(span, reference)) : undefined;
  const text = [reason, payout?.narration ?? ''].join(' ').trim();
  return {
    date,
    time,
    valueDate: date,
    type,
    reference,
    transactionReference: (refunds.get(reference) ?? books.chargebacks.get(reference))?.transactionReference ?? '',
    sessionId: payout?.sessionId ?? '',
    group: '',
    counterparty: onOneLine(payout?.accountName ?? collection?.customer.name ?? ''),
    text: onOneLine(span.kind === 'bank' ? `${text} ${reference}` : text),
    amount,
    gross: 0n,
    fee: 0n,
    tax: 0n,
  };
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');
