import { formatAmount, isAmount } from '../money/amount.ts';
import { argumentText } from '../records/advised-word.ts';
import type { Break, BreakFacts, BreakValue } from './break.ts';

/** What the sentences of a break say of it. */
export interface Told
  extends BreakFacts,
    Pick<Break, 'kind' | 'reference' | 'firstSeen' | 'account' | 'line' | 'candidates'> {}

export type Sentence = (one: Told) => string;

export interface Words {
  readonly why: Sentence;
  readonly next: Sentence;
}

/** The words of a code, and what is different for some of its sub-kinds. */
export interface WordsOfSubs extends Words {
  readonly subs?: Readonly<Record<string, Partial<Words>>>;
}

/** The clause that the break brings. */
export const detail: Sentence = (one) => one.detail ?? '';

/** The clause of an amount that is held against the record after its charges. */
export const AFTER_CHARGES = 'after charges';

export function fixed(text: string): Sentence {
  return () => text;
}

export const paidTwice: Words = {
  why: (one) => `payout ${one.detail} has the same session id, amount and destination`,
  next: ({ reference }) => `Find out whether ${reference} was paid twice; ask the service which payout moved money.`,
};

export const askReserve: Sentence = ({ reference }) => `Ask the service how much it reserves for refund ${reference}.`;

/** The command that tells all of its reference. */
export function whyCommand({ reference }: Told): string {
  return `tallyhook why ${argumentText(reference ?? '')}`;
}

/** A value as text; missing: a status that is not known. */
export function status(value: BreakValue): string {
  return isAmount(value) ? formatAmount(value) : (value ?? 'without a status');
}

/** A value as text; missing: nothing. */
export function text(value: BreakValue): string {
  return value === null ? 'nothing' : status(value);
}
