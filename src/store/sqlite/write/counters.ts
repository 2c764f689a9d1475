import type { Database } from '../engine/database.ts';

/** Counters that never go back. */
export const COUNTERS = ['check', 'job'] as const;

/** Takes the next `count` values of a counter and returns the last of them. The caller holds the transaction. */
export function counter(database: Database, name: (typeof COUNTERS)[number]): (count: number) => number {
  const take = database
    .prepare<[number], number>(`UPDATE counters SET value = value + ? WHERE name = '${name}' RETURNING value`)
    .pluck();
  return (count) => take.get(count) as number;
}
