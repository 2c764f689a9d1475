import { parentPort, workerData } from 'node:worker_threads';
import { clockOf, type SharedTime } from '../../../time/clock.ts';
import type { SharedDeadline } from '../../../time/deadline.ts';
import { openDatabase } from '../engine/database.ts';
import { storeError } from '../engine/failure.ts';
import { guarded } from '../engine/reading.ts';
import { MOST_DAMAGES, type RowPlace, rowCheck } from './row-check.ts';
import { soundnessWrites } from './soundness.ts';

/** Each piece is followed by a pause this many times as long: the check has a tenth of one processor. */
const PAUSE_FACTOR = 9;
/** Pieces between two notes of the place: a process that is killed repeats these. */
const PIECES_PER_NOTE = 50;

/** Pages in memory: a walk in the order of the keys needs few of them again, and what they took is not given back to the system. */
const CACHE_KIB = 512;

/** The walk over all rows that the receiver starts: posts each newly found damage, and ends at the last row. */
if (parentPort !== null) {
  const port = parentPort;
  const { path, time, deadline }: { path: string; time: SharedTime | undefined; deadline: SharedDeadline } = workerData;
  const database = openDatabase(path, { deadline });
  database.pragma(`cache_size = -${CACHE_KIB}`);
  const clock = clockOf(time);
  const soundness = soundnessWrites(database);
  const check = guarded(database, rowCheck)(database);
  let place: RowPlace | null = null;
  let damage: readonly string[] = [];
  let hasBegun = false;
  let pieces = 0;
  let timer: NodeJS.Timeout | undefined;

  const close = () => {
    clearTimeout(timer);
    port.close();
    database.close();
  };

  const note = (finished: boolean) => {
    try {
      soundness.note({ place, damage, finishedAtMs: finished ? clock.nowMs() : null });
    } catch {
      // The disk is full or another process writes: the next note, or the next start, makes up for it.
    }
  };

  const found = (news: readonly string[]) => {
    damage = [...damage, ...news].slice(0, MOST_DAMAGES);
    port.postMessage(news);
  };

  const step = () => {
    const startMs = performance.now();
    let next: RowPlace | null = null;
    try {
      const piece = check.next(place);
      if (piece.damage.length > 0) found(piece.damage);
      next = piece.next;
    } catch (error) {
      const { fatal, message } = storeError(error, path);
      if (!fatal) {
        timer = setTimeout(step, 1_000);
        return;
      }
      found([message]); // the rest of the table cannot be read
    }
    place = next;
    if (place === null || ++pieces % PIECES_PER_NOTE === 0) note(place === null);
    if (place === null) close();
    else timer = setTimeout(step, (performance.now() - startMs) * PAUSE_FACTOR);
  };

  const begin = () => {
    try {
      ({ place, damage } = soundness.begin(clock.nowMs()));
      hasBegun = true;
      step();
    } catch (error) {
      if (storeError(error, path).fatal) throw error;
      timer = setTimeout(begin, 1_000);
    }
  };

  port.on('message', () => {
    if (hasBegun) note(false);
    close();
  });
  begin();
}
