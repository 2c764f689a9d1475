import type { CheckRules } from '../../src/domain/next-check.ts';
import { operationsOver } from '../../src/store/operations.ts';
import type { OpenOperations } from '../../src/store/sqlite/operations.ts';
import { openOperationCalls } from '../../src/store/sqlite/write/operations.ts';

export type { OpenOperations };

/** The operations of a database on this thread: every call blocks until it is on disk. Throws as `startOperations`. */
export function openOperations(path: string, checkRules: CheckRules): OpenOperations {
  const { call, close } = openOperationCalls(path, checkRules);
  return { ...operationsOver(async (group, method, input) => call(group, method, input)), close };
}
