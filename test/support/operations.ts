import type { Credential } from '../../src/domain/access/proof.ts';
import type { CheckRules } from '../../src/domain/checks/next-check.ts';
import { operationsOver } from '../../src/store/operations.ts';
import { openOperationCalls } from '../../src/store/sqlite/carry-out/operation-calls.ts';
import { usualKeyFile } from '../../src/store/sqlite/engine/audit-key.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import { thisProcess } from '../../src/store/this-machine.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';

export type { OpenOperations };

/** The operations of a database on this thread: every call blocks until it is on disk. Throws as `Store.operations`. */
export function openOperations(
  path: string,
  checkRules: CheckRules,
  { shared: time }: Clock = systemClock,
  credential: Credential | null = null,
): OpenOperations {
  const order = { path, checkRules, auditKey: usualKeyFile(path), create: false, time };
  const { call, close } = openOperationCalls(order, thisProcess());
  const as = (given: Credential | null) => operationsOver(async (called) => call(called), given);
  return { ...as(credential), as, close: async () => close() };
}
