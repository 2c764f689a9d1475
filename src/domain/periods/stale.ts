import type { RefusedAct } from './acts.ts';
import type { DayRange } from './period.ts';

/** Rows that came after a run began and may change what it found for its days. */
export interface News {
  /** Records with news of a webhook or an answer; an answer that repeats the one before it is none. Null: more changed than were to be looked at. */
  readonly records: number | null;
  /** Statements that were imported, and those that were removed. */
  readonly statements: number;
  readonly removed: number;
  /** Matches that a person confirmed or undid. */
  readonly decisions: number;
  /** Claims of which a payment was named, approved or taken back. */
  readonly payments: number;
  /** The last closing of an earlier period that the run does not open with; null: there is none. */
  readonly closing: { readonly period: string; readonly closing: number } | null;
}

export function isStale({ records, statements, removed, decisions, payments, closing }: News): boolean {
  return closing !== null || records === null || records + statements + removed + decisions + payments > 0;
}

/** What came since, as a clause: `2 records changed, 1 statement was removed`. */
export function newsText({ records, statements, removed, decisions, payments, closing }: News): string {
  const parts = [
    closing === null ? null : `closing ${closing.closing} of period ${closing.period} was made`,
    records === null
      ? 'more records changed than are looked through here'
      : counted(records, 'record has news', 'records have news'),
    counted(statements, 'statement was imported', 'statements were imported'),
    counted(removed, 'statement was removed', 'statements were removed'),
    counted(decisions, 'match was decided', 'matches were decided'),
    counted(payments, 'payment of a claim was named', 'payments of claims were named'),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

interface RunOfPeriod extends DayRange {
  /** Of the period. */
  readonly name: string;
  readonly run: number;
}

/** Why figures of a run with such news cannot be frozen; null: they can. */
export function staleRefusal({ name, from, to, run }: RunOfPeriod, news: News): RefusedAct | null {
  if (!isStale(news)) return null;
  return {
    reason: 'stale',
    message: `Run ${run} of period ${name} is older than what it rests on: ${newsText(news)} since.`,
    hint: `Reconcile its days again, then close it: tallyhook reconcile --from ${from} --to ${to}`,
  };
}

function counted(count: number, one: string, many: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
