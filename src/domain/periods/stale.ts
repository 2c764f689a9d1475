import type { RefusedAct } from './acts.ts';
import type { DayRange } from './period.ts';

/** Rows that came after a run began and may change what it found for its days. */
export interface News {
  /** Records with news of a webhook or an answer. */
  readonly records: number;
  /** Statements that were imported, and those that were removed. */
  readonly statements: number;
  readonly removed: number;
  /** Matches that a person confirmed or undid. */
  readonly decisions: number;
}

export function isStale({ records, statements, removed, decisions }: News): boolean {
  return records + statements + removed + decisions > 0;
}

/** What came since, as a clause: `2 records changed, 1 statement was removed`. */
export function newsText({ records, statements, removed, decisions }: News): string {
  const parts = [
    counted(records, 'record has news', 'records have news'),
    counted(statements, 'statement was imported', 'statements were imported'),
    counted(removed, 'statement was removed', 'statements were removed'),
    counted(decisions, 'match was decided', 'matches were decided'),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Why figures of a run with such news cannot be frozen; null: they can. */
export function staleRefusal({ name, from, to }: DayRange & { readonly name: string }, news: News): RefusedAct | null {
  if (!isStale(news)) return null;
  return {
    reason: 'stale',
    message: `The run of period ${name} is older than what it rests on: ${newsText(news)} since.`,
    hint: `Reconcile its days again, then close it: tallyhook reconcile --from ${from} --to ${to}`,
  };
}

function counted(count: number, one: string, many: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
