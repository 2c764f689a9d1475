import type { Failure } from '../error.ts';
import type { Database } from '../sqlite/engine/database.ts';
import { plainValueOf, textOf } from './plain-value.ts';

/** How a call ended. */
export type Answer = { readonly result: unknown } | { readonly failure: Failure };

/** Answers stay for so many entries: any process that waits for one has read it by then. */
const KEPT_ENTRIES = 20_000;

/** The answers of this machine's calls: the process that carries a call out need not be the one that waits. */
export function answerTable(database: Database) {
  const put = database.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO answers (id, seq, returned) VALUES (?, ?, ?)',
  );
  const find = database.prepare<[string], string>('SELECT returned FROM answers WHERE id = ?').pluck();
  const forget = database.prepare<[number]>('DELETE FROM answers WHERE seq <= ?');
  return {
    /** The caller holds the transaction that carries the call out. */
    keep: (id: string, seq: number, answer: Answer): void => void put.run(id, seq, textOf(answer)),
    find(id: string): Answer | null {
      const text = find.get(id);
      return text === undefined ? null : (plainValueOf(text) as Answer);
    },
    /** `seq`: the last entry that is carried out. */
    forget: (seq: number): void => void forget.run(seq - KEPT_ENTRIES),
  };
}
