import type { AskAgain } from '../../src/domain/next-check.ts';
import { workOver } from '../../src/store/operations.ts';
import type { OpenWork } from '../../src/store/sqlite/operations.ts';
import { openOperationCalls } from '../../src/store/sqlite/write/operations.ts';

export type { OpenWork };

/** The operations of a database on this thread: every call blocks until it is on disk. Throws as `startWork`. */
export function openWork(path: string, askAgain: AskAgain): OpenWork {
  const { call, close } = openOperationCalls(path, askAgain);
  return { ...workOver(async (group, method, input) => call(group, method, input)), close };
}
