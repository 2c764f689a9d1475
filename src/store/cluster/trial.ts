import type { DrawnCall, ProcessName } from '../caller.ts';
import type { Called } from '../operations.ts';
import { type Database, openDatabase, turnTransaction } from '../sqlite/engine/database.ts';
import { withLateStatements } from '../sqlite/engine/late-statements.ts';
import { type OperationSettings, operationCalls } from '../sqlite/write/operations.ts';

/** What a call would do now. */
export interface Tried {
  /** It writes rows, or it fails: the log decides. */
  readonly changes: boolean;
  readonly result: unknown;
  /** The processes that it asked about and that are gone. */
  readonly gone: readonly ProcessName[];
}

export interface Trial {
  try(called: Called, drawn: DrawnCall): Tried;
  close(): void;
}

/** Carries calls out on a connection of its own and undoes them: what would change nothing is no entry of the log. */
export function trialCalls(path: string, settings: OperationSettings): Trial {
  let database: Database | undefined;

  function opened() {
    database = openDatabase(path);
    const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
    const transaction = turnTransaction(database);
    const call = operationCalls(withLateStatements(database), settings);
    return { transaction, call, changes: () => changes.get() as number };
  }
  let parts: ReturnType<typeof opened> | undefined;

  return {
    try(called, drawn) {
      parts ??= opened();
      const { transaction, call, changes } = parts;
      const gone: ProcessName[] = [];
      const isGone = (process: ProcessName) => {
        const answer = drawn.caller.isGone(process);
        if (answer) gone.push({ machine: process.machine, pid: process.pid });
        return answer;
      };
      transaction.begin();
      try {
        const before = changes();
        const result = call(called, { ...drawn, caller: { ...drawn.caller, isGone } });
        return { changes: changes() !== before, result, gone };
      } catch {
        return { changes: true, result: null, gone };
      } finally {
        transaction.rollback();
      }
    },
    close: () => void database?.close(),
  };
}
