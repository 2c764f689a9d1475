import { type KeyAnswer, keyAnswer, type Outcome } from '../../../domain/checks/check.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Database } from '../engine/database.ts';

/** Keeps the latest status check of each environment that says whether the service accepts our key. */
export function keyAnswerWrites(database: Database) {
  const put = database.prepare<{ environment: Environment; answer: KeyAnswer; counter: number }>(`
    INSERT INTO key_answers (environment, answer, counter) VALUES (@environment, @answer, @counter)
    ON CONFLICT (environment, answer) DO UPDATE SET counter = max(counter, excluded.counter)`);
  return {
    /** The caller holds the transaction. */
    note(environment: Environment, outcome: Outcome, counter: number): void {
      const answer = keyAnswer(outcome);
      if (answer !== null) put.run({ environment, answer, counter });
    },
  };
}
