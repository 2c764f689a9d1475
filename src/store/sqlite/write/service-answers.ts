import { isAnswered, type Outcome } from '../../../domain/checks/check.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { Database } from '../engine/database.ts';
import type { NotedCheck } from './key-answers.ts';

/** Keeps whether the service answers the status checks of each environment. */
export function serviceAnswerWrites(database: Database) {
  const answered = database.prepare<{ environment: Environment; nowMs: number }>(`
    INSERT INTO service_answers (environment, answered_at) VALUES (@environment, @nowMs)
    ON CONFLICT (environment) DO UPDATE SET answered_at = excluded.answered_at, failing_since = NULL`);
  const failed = database.prepare<{ environment: Environment; outcome: Outcome; nowMs: number }>(`
    INSERT INTO service_answers (environment, failing_since, failed_at, outcome) VALUES (@environment, @nowMs, @nowMs, @outcome)
    ON CONFLICT (environment) DO UPDATE SET failing_since = coalesce(failing_since, excluded.failing_since),
      failed_at = excluded.failed_at, outcome = excluded.outcome`);
  return {
    /** In their order; what repeats the one before changes nothing. The caller holds the transaction. */
    note(checks: readonly NotedCheck[]): void {
      const last = new Map<Environment, NotedCheck>();
      for (const check of checks) {
        const { environment, outcome, nowMs } = check;
        const before = last.get(environment);
        last.set(environment, check);
        if (before?.outcome === outcome && before.nowMs === nowMs) continue;
        const isAnswer = isAnswered(outcome);
        if (isAnswer === true) answered.run({ environment, nowMs });
        else if (isAnswer === false) failed.run({ environment, outcome, nowMs });
      }
    },
  };
}
