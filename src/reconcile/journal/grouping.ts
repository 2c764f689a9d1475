import { isAt } from '../../domain/statements/lines.ts';
import type { JournalInput } from './input.ts';

/** Returns the date of the entry in which a day's movements stand. */
export function datesOf(input: JournalInput): (day: string, currency: string) => string {
  const { period, by } = input;
  const { from, to } = period;
  const within = (day: string) => (day < from ? from : day > to ? to : day);
  if (by === 'day') return within;
  if (by === 'period') return () => to;
  const settled = settlementDays(input);
  return (day, currency) => settled.get(currency)?.find((date) => date >= within(day)) ?? to;
}

/** The days on which money was settled, by currency: where the service keeps it, else at the bank. */
function settlementDays({ accounts, days }: JournalInput): Map<string, string[]> {
  const banks = new Set(accounts.filter(({ kind }) => isAt(kind, 'bank')).map(({ account }) => account));
  const found = new Map<string, string[]>();
  for (const currency of new Set(days.map((one) => one.currency))) {
    const settled = days.filter((one) => one.currency === currency && one.row === 'settlements' && one.theirs !== 0n);
    const atService = settled.filter(({ account }) => !banks.has(account));
    const dates = new Set((atService.length > 0 ? atService : settled).map(({ date }) => date));
    found.set(currency, [...dates].sort());
  }
  return found;
}
