import type { Outcome } from '../../src/domain/checks/check.ts';
import type { CheckEffect } from '../../src/domain/checks/check-result.ts';
import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import { FixedClock } from './fixed-clock.ts';
import { openOperations } from './operations.ts';
import { serviceAnswer } from './service-answer.ts';

export interface AnswerGiven {
  readonly kind?: RecordKind;
  readonly environment?: Environment;
  readonly nowMs: number;
  /** With a status it is `answered`; else this, `unavailable` unless named. */
  readonly outcome?: Outcome;
  readonly detail?: string;
  /** More members of the answer's `data`. */
  readonly data?: Record<string, unknown>;
}

/** Checks one record as a sweep does, with the given answer: `checked(db, 'R1', 'success', { nowMs })`. */
export async function checked(
  { path }: { readonly path: string },
  reference: string,
  status: string | null,
  { kind = 'refund', environment, nowMs, outcome, detail, data = {} }: AnswerGiven,
): Promise<CheckEffect> {
  const operations = openOperations(path, { ...STANDARD_CHECK_RULES, jitter: 0 }, new FixedClock(nowMs));
  try {
    const environments = environment === undefined ? ENVIRONMENTS : [environment];
    const filter = { kinds: [kind], environments, reference };
    const [leased] = await operations.checks.lease({ filter, limit: 1, leaseMs: 60_000 });
    if (leased === undefined) throw new Error(`there is no ${kind} ${reference} to check`);
    const answer = status === null ? null : serviceAnswer(kind, status, data);
    const finished = {
      ...leased,
      outcome: outcome ?? (answer === null ? 'unavailable' : 'answered'),
      answer,
      detail: detail ?? null,
    } as const;
    const [effect] = await operations.checks.finish([finished]);
    return effect as CheckEffect;
  } finally {
    await operations.close();
  }
}
