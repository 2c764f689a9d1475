import { formatAmount } from '../domain/amount.ts';
import type { Claim } from '../domain/claim.ts';
import type { Fields } from '../domain/fields.ts';
import type { RecordStory } from '../store/story.ts';

/** Where an entry of a story comes from. Entries of one moment stand in this order. */
export const STORY_SOURCES = [
  'request', // what we asked the service to do
  'expectation', // what the merchant told us to expect
  'webhook', // an event
  'variant', // another content under its key
  'list', // a row of the service's list
  'answer', // what the service said when asked
  'check', // a question that got no usable answer
  'status', // a move of the reported or confirmed status
  'finding', // something opened or closed
  'prune', // personal data and bodies that were let go
] as const;
export type StorySource = (typeof STORY_SOURCES)[number];

/** One thing that happened to a record. */
export interface Entry {
  readonly atMs: number;
  readonly source: StorySource;
  /** A sentence or two for a person. */
  readonly text: string;
  /** The same for a program; times are ISO 8601 in UTC, amounts decimal text. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** Neighbours with the same text here say the same once more, and may be told as one. */
  readonly repeats?: string;
}

/** How times and values are shown: in whose zone, and how much of what identifies a person. */
export interface Wording {
  time(ms: number): string;
  /** The value of a field, masked where it identifies a person. */
  value(name: string, text: string): string;
}

/** One source of a story: whatever it finds in what is kept, as entries. Pure. */
export type Source = (story: RecordStory, wording: Wording) => Entry[];

export function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** `success, 50.00 USD, dated 2026-11-20 10:05:03 by the service`; what is not said is left out. */
export function claimText({ status, time, facts, details }: Claim, { time: shown }: Wording): string {
  const said = [status ?? 'no status', sumText(amountIn(facts, details), currencyIn(facts))];
  const dated = time === null ? null : `dated ${shown(Date.parse(time))} by the service`;
  return [...said, dated].filter((part) => part !== null).join(', ');
}

export function claimFacts({ status, time, facts, details }: Claim): Entry['facts'] {
  return { status, serviceTime: time, amount: amountIn(facts, details), currency: currencyIn(facts) };
}

/** What was asked for before what was charged (decision 48). */
export function amountIn(facts: Fields, details: Fields): string | null {
  for (const value of [facts.requestedAmount, facts.amount, details.amount]) {
    if (typeof value === 'object' && value !== null) return formatAmount(value);
  }
  return null;
}

export function currencyIn({ currency = null }: Fields): string | null {
  return typeof currency === 'string' ? currency : null;
}

export function sumText(amount: string | null, currency: string | null): string | null {
  return amount === null ? null : [amount, currency].filter((part) => part !== null).join(' ');
}

/** `once`, `2 times` */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
