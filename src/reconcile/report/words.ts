import type { AgeBucket } from '../../domain/records/settling-age.ts';
import { isZero } from './decimal.ts';

// Figures and names as a person reads them.

const MINUS = '\u2212';

/** `-1234567.50` as `−1,234,567.50`; text that is no amount stays as it is. */
export function grouped(amount: string): string {
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(amount);
  if (parts === null) return amount;
  const [, sign, whole = '', fraction = ''] = parts;
  return `${sign === '-' ? MINUS : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}

/** The same with `+` before a positive amount: what moves a balance. */
export function signed(amount: string): string {
  return isZero(amount) || amount.startsWith('-') ? grouped(amount) : `+${grouped(amount)}`;
}

/** Whole numbers with grouped digits: 1,234. */
export function counted(count: number): string {
  return grouped(String(count));
}

/** `1 break`, `1,234 breaks`, `2 stories` */
export function countOf(count: number, noun: string): string {
  const plural = noun.endsWith('y') && noun !== 'day' ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${counted(count)} ${count === 1 ? noun : plural}`;
}

/** `refund_fees` as `Refund fees` */
export function worded(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `99.98%` */
export function rateText(rate: string | null): string {
  return rate === null ? 'none due' : `${rate}%`;
}

const AGE_NAMES: Readonly<Record<AgeBucket, string>> = {
  '<24h': 'Under 1 day',
  '1-3d': '1 to 3 days',
  '3-7d': '3 to 7 days',
  '>7d': 'Over 7 days',
};

export function ageName(age: AgeBucket): string {
  return AGE_NAMES[age];
}

/** Of a column that holds an age. */
export const age = { words: (row: { readonly age: AgeBucket }) => AGE_NAMES[row.age] };

/** `fee_mismatch/schedule` */
export function breakName({ code, sub }: { readonly code: string; readonly sub: string | null }): string {
  return sub === null ? code : `${code}/${sub}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `10` as `October`; undefined: it is no month. */
export function monthName(month: string): string | undefined {
  return MONTHS[Number(month) - 1];
}
