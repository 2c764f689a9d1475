import { hash } from 'node:crypto';
import { type Failure, StoreError, type StoreFault } from '../error.ts';
import type { Database } from '../sqlite/engine/database.ts';
import { isDefect } from '../sqlite/engine/failure.ts';
import { plainValueOf, textOf } from './plain-value.ts';

/** How a call ended. */
export type Answer = { readonly result: unknown } | { readonly failure: Failure };

/** Whether a call has this fault on every machine alike; any other is of the machine that met it. `busy`: under the lock only a decision says so. */
export function isAnswer(fault: StoreFault): boolean {
  return IS_ANSWER.includes(fault);
}

const IS_ANSWER: readonly StoreFault[] = [
  ...(['other', 'busy', 'period_closed'] as const),
  ...(['not_proven', 'not_allowed', 'not_fresh', 'not_approved'] as const),
];

export function isOurs(error: unknown): boolean {
  return error instanceof StoreError || isDefect(error);
}

/** The digest of all that was written up to an entry. Of a failure only the fault counts: its text may name a file of the machine. */
export function digestOfEntry(before: Uint8Array, [seq, written, answer]: [number, number, Answer | null]): Uint8Array {
  const said = answer === null ? null : 'failure' in answer ? answer.failure.fault : textOf(answer.result);
  return hash('sha256', Buffer.concat([before, Buffer.from(JSON.stringify([seq, written, said]))]), 'buffer');
}

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
