import type { NextQuestion, Standing } from '../../../domain/check.ts';
import type { Work } from '../../operations.ts';
import type { Database } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { backfillLog } from './backfills.ts';
import { confirmLog } from './checks.ts';
import { jobLog, type NextRun } from './jobs.ts';
import { pruneLog } from './pruning.ts';
import { trackingLog } from './tracked.ts';

/** What the store does not decide by itself. */
export interface WorkRules {
  readonly nextQuestion: (standing: Standing) => NextQuestion;
  /** It puts none off for longer. */
  readonly longestWaitMs: number;
  readonly nextRun: NextRun;
}

type Method = (input: unknown) => unknown;

export interface WorkLog {
  /** Of the database. */
  readonly path: string;
  /** @throws StoreError */
  call(group: keyof Work, method: string, input: unknown): unknown;
}

/** Carries out the calls of the jobs on this connection. Each writing one is a transaction of its own. */
export function workLog(database: Database, rules: WorkRules): WorkLog {
  const groups = {
    confirmations: confirmLog(database, rules.nextQuestion, rules.longestWaitMs),
    backfills: backfillLog(database),
    tracking: trackingLog(database),
    jobs: jobLog(database, rules.nextRun),
    pruning: pruneLog(database),
  } satisfies { readonly [Group in keyof Work]: { readonly [Name in keyof Work[Group]]: unknown } };

  return {
    path: database.name,
    call(group, method, input) {
      const methods = groups[group] as unknown as Readonly<Record<string, Method>>;
      try {
        return methods[method]?.(input);
      } catch (error) {
        throw storeError(error, database.name);
      }
    },
  };
}
