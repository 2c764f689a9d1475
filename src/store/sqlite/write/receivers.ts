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
  let id = 0;

  return {
    started: writing(database, (nowMs: number): void => {
      const { lastInsertRowid } = insert.run({ holder, machine, pid, nowMs });
      id = Number(lastInsertRowid);
      forget.run();
    }),
    seen: writing(database, (nowMs: number): void => void see.run({ id, nowMs })),
    stopped: writing(database, (nowMs: number): void => void end.run({ id, nowMs })),
  };
}
