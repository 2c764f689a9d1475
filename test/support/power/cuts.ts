import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../../src/store/sqlite/engine/migrate.ts';
import { seededRandom } from '../random.ts';
import { temporaryFolder } from '../receiver.ts';
import { type CutMode, Disk } from './disk.ts';
import { eventBody } from './event-body.ts';
import type { Recording } from './recording.ts';

export interface CutFigures {
  readonly cuts: number;
  /** Acknowledged events that were not there after a cut, over all cuts. */
  readonly lost: number;
  /** What was wrong besides, in words. */
  readonly damaged: readonly string[];
}

/** Cuts the power after every `every`th change of the disk and looks at what a restart finds. */
export function cutPower(recording: Recording, mode: CutMode, { every = 1, seed = 1 } = {}): CutFigures {
  const random = seededRandom(seed);
  const disk = new Disk(recording.folder);
  const restarted = join(temporaryFolder({ inMemory: true }), 'after');
  let [cuts, lost, acked] = [0, 0, 0];
  const damaged: string[] = [];
  for (const [index, step] of recording.steps.entries()) {
    disk.play(step);
    if (step.type === 'ack') acked = step.upTo;
    if (index % every !== every - 1 && index !== recording.steps.length - 1) continue;
    disk.cut(restarted, mode, random);
    cuts++;
    const { missing, problem } = restart(join(restarted, 'tallyhook.db'), acked);
    lost += missing;
    if (problem !== null) damaged.push(`after step ${index} (${step.type}): ${problem}`);
  }
  return { cuts, lost, damaged };
}

/** Opens what the cut left as the next start would, and looks for every acknowledged event, byte for byte. */
function restart(path: string, acked: number): { missing: number; problem: string | null } {
  if (!existsSync(path)) return { missing: acked, problem: null };
  try {
    const database = openDatabase(path);
    try {
      migrate(database, 0);
      const integrity = String(database.pragma('integrity_check', { simple: true }));
      const bodyOf = database.prepare<[number], Buffer>('SELECT body FROM events WHERE id = ?').pluck();
      let missing = 0;
      for (let n = 1; n <= acked; n++) if (bodyOf.get(n)?.toString() !== eventBody(n)) missing++;
      return { missing, problem: integrity === 'ok' ? null : integrity };
    } finally {
      database.close();
    }
  } catch (error) {
    return { missing: acked, problem: String(error) };
  }
}
