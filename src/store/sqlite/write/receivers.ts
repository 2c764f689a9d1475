import type { ProcessName } from '../../caller.ts';
import { type Database, writing } from '../engine/database.ts';

/** Processes remembered, so that restarts cannot fill the table: those of `incidents`. */
const REMEMBERED = 500;

/** Writes that a process receives, and its signs of life; `holder` names it for a person. */
export function receiverWrites(database: Database, holder: string, { machine, pid }: ProcessName) {
  const insert = database.prepare<{ holder: string; machine: string; pid: number; nowMs: number }>(`
    INSERT INTO receivers (holder, machine, pid, started_at, seen_at) VALUES (@holder, @machine, @pid, @nowMs, @nowMs)`);
  const forget = database.prepare(`DELETE FROM receivers WHERE id <= (SELECT max(id) FROM receivers) - ${REMEMBERED}`);
  const see = database.prepare<{ id: number; nowMs: number }>('UPDATE receivers SET seen_at = @nowMs WHERE id = @id');
  const end = database.prepare<{ id: number; nowMs: number }>(
    'UPDATE receivers SET seen_at = @nowMs, stopped_at = @nowMs WHERE id = @id',
  );
  /** Null: that the process started is not written yet. */
  let id: number | null = null;
  const begin = writing(database, (nowMs: number): number => {
    const { lastInsertRowid } = insert.run({ holder, machine, pid, nowMs });
    forget.run();
    return Number(lastInsertRowid);
  });
  const update = writing(database, (statement: typeof see, nowMs: number): void => {
    if (id !== null) statement.run({ id, nowMs });
  });

  return {
    /** A sign of life; the first one says that the process started. */
    seen(nowMs: number): void {
      if (id === null) id = begin(nowMs);
      else update(see, nowMs);
    },
    stopped: (nowMs: number): void => update(end, nowMs),
  };
}
