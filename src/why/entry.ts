import type { Stated } from '../domain/events/stated.ts';
import { formatAmount } from '../domain/money/amount.ts';
import type { Fields } from '../domain/records/fields.ts';
import type { ShownTimes } from '../domain/text/shown-detail.ts';
import type { Reconciled, RecordStory } from '../store/story.ts';
import type { Incident } from './incident.ts';

/** Where an entry of a story comes from. Entries of the same time are in this order. */
export const STORY_SOURCES = [
  'incident', // a time without a receiver, or in which deliveries were refused
  'request', // a request that we sent to the service
  'expectation', // what the merchant tracks
  'webhook', // an event
  'variant', // another content under its key
  'list', // a row of the service's refund list
  'answer', // the answer to a status check
  'check', // a status check without a usable answer, or under way
  'statement', // a line of a statement that names the reference
  'status', // a move of the reported or confirmed status
  'forward', // news for an application: written, and how it ended
  'finding', // a finding opened or closed
  'match', // a match with a line: made, ended, confirmed or undone
  'break', // an open break of the last run
  'exception', // how a break stands in the work queue
  'prune', // pruning of personal data and bodies
] as const;
export type StorySource = (typeof STORY_SOURCES)[number];

/** One thing that happened to a record. */
export interface Entry {
  readonly atMs: number;
  readonly source: StorySource;
  /** A sentence or two for people. */
  readonly text: string;
  /** The same for programs; times are ISO 8601 in UTC, amounts decimal text. */
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  /** Neighbours of one source with the same text here may be shown as one. */
  readonly repeats?: string;
}

/** How times and values are shown: in which zone, and which values are masked. */
export interface Wording extends ShownTimes {
  /** The value of a field, masked where it identifies a person. */
  value(name: string, text: string): string;
}

/** A record with what statements and runs say of it. */
export interface WholeStory extends RecordStory {
  readonly reconciled: Reconciled;
  /** Of the time of the record: see `incidents.ts`. */
  readonly incidents: readonly Incident[];
}

/** Returns the entries of one source. Pure. */
export type Source = (story: WholeStory, wording: Wording) => Entry[];
/** The same of what needs no record. */
export type ReconciledSource = (story: Pick<WholeStory, 'reconciled'>) => Entry[];

export function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** `success, 50.00 USD, dated 2026-11-20 10:05:03 by the service`; a missing amount or time is left out. */
export function statedText({ status, time, facts, details }: Stated, { time: shown }: Wording): string {
  const sum = sumText(amountIn(facts, details), currencyIn(facts));
  const dated = time === null ? null : `dated ${shown(Date.parse(time))} by the service`;
  return [status ?? 'no status', sum, dated].filter((part) => part !== null).join(', ');
}

export function statedFacts({ status, time, facts, details }: Stated): Entry['facts'] {
  return { status, serviceTime: time, amount: amountIn(facts, details), currency: currencyIn(facts) };
}

/** The requested amount before the charged one (decision 48). */
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
