import type { CheckRules } from '../../src/domain/checks/next-check.ts';
import { operationsOver } from '../../src/store/operations.ts';
import { usualKeyFile } from '../../src/store/sqlite/engine/audit-key.ts';
import { openOperationCalls } from '../../src/store/sqlite/write/operations.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';

export type { OpenOperations };

/** The operations of a database on this thread: every call blocks until it is on disk. Throws as `Store.operations`. */
export function openOperations(
  path: string,
  checkRules: CheckRules,
  { shared: time }: Clock = systemClock,
  credential: string | null = null,
): OpenOperations {
  const { call, close } = openOperationCalls({
    path,
    checkRules,
    auditKey: usualKeyFile(path),
    credential,
    create: false,
    time,
  });
  return { ...operationsOver(async (group, method, input) => call(group, method, input)), close: async () => close() };
}
