import { type KeyAnswer, keyAnswer, type Outcome } from '../../../domain/checks/check.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Timed } from '../../../time/clock.ts';
import type { Database } from '../engine/database.ts';

/** A status check that was finished under its lease. */
export interface NotedCheck extends Timed {
  readonly environment: Environment;
  readonly outcome: Outcome;
  readonly counter: number;
}

/** Keeps the latest status check of each environment that says whether the service accepts our key. */
export function keyAnswerWrites(database: Database) {
  const put = database.prepare<{ environment: Environment; answer: KeyAnswer; counter: number }>(`
    INSERT INTO key_answers (environment, answer, counter) VALUES (@environment, @answer, @counter)
    ON CONFLICT (environment, answer) DO UPDATE SET counter = max(counter, excluded.counter)`);
  return {
    /** One row for each answer of an environment, for any number of checks. The caller holds the transaction. */
    note(checks: readonly NotedCheck[]): void {
      const latest = new Map<string, { environment: Environment; answer: KeyAnswer; counter: number }>();
      for (const { environment, outcome, counter } of checks) {
        const answer = keyAnswer(outcome);
        const known = latest.get(`${environment} ${answer}`);
        if (answer === null || (known !== undefined && known.counter > counter)) continue;
        latest.set(`${environment} ${answer}`, { environment, answer, counter });
      }
      for (const row of latest.values()) put.run(row);
    },
  };
}
