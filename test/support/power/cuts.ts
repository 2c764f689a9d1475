import { existsSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { defineRowSum } from '../../../src/store/sqlite/engine/row-sums.ts';
import { temporaryFolder } from '../folder.ts';
import { compareWithAcks, keptContents } from '../oracle/contents.ts';
import { waitingBodies } from '../oracle/waiting.ts';
import { seededRandom } from '../random.ts';
import { type CutMode, Disk } from './disk.ts';
import type { Recording } from './recording.ts';

export interface CutFigures {
  readonly cuts: number;
  /** Acknowledged bodies that were not there after a cut, over all cuts. */
  readonly lost: number;
  /** What was wrong besides, in words. */
  readonly damaged: readonly string[];
}

export interface CutOptions {
  readonly every?: number;
  readonly seed?: number;
  /** Called at each cut with the path of the database that it left, and the 200s that had left before. */
  readonly restart?: (path: string, acks: ReadonlyMap<string, number>) => void | Promise<void>;
}

/** Cuts the power after every `every`th change of the disk and looks at what a restart finds. */
export async function cutPower(
  { folder, steps }: Pick<Recording, 'folder' | 'steps'>,
  mode: CutMode,
  { every = 1, seed = 1, restart }: CutOptions = {},
): Promise<CutFigures> {
  const random = seededRandom(seed);
  const disk = new Disk(folder);
  const path = join(temporaryFolder({ inMemory: true }), 'after', 'tallyhook.db');
  const acks = new Map<string, number>();
  const damaged: string[] = [];
  let [cuts, lost] = [0, 0];
  for (const [index, step] of steps.entries()) {
    if (step.type === 'ack') acks.set(step.body, (acks.get(step.body) ?? 0) + 1);
    else disk.play(step);
    if (index % every !== every - 1 && index !== steps.length - 1) continue;
    disk.cut(join(path, '..'), mode, random);
    cuts++;
    try {
      if (restart !== undefined) await restart(path, acks);
      const { missing, problem } = found(path, acks);
      lost += missing;
      if (problem !== null) damaged.push(`after step ${index} (${step.type}): ${problem}`);
    } catch (error) {
      lost += acks.size;
      damaged.push(`after step ${index} (${step.type}): ${error}`);
    }
  }
  return { cuts, lost, damaged };
}

/** Opens what the cut left with the engine alone, and looks for every acknowledged body, byte for byte, in the books and in their log. */
function found(path: string, acks: ReadonlyMap<string, number>): { missing: number; problem: string | null } {
  if (!existsSync(path)) return { missing: acks.size, problem: null };
  const database = new SQLite(path);
  defineRowSum(database); // for integrity_check
  try {
    const integrity = String(database.pragma('integrity_check', { simple: true }));
    const waiting = waitingBodies(database);
    const { lost, doubled, undercounted } = compareWithAcks(keptContents(database), acks, {
      waiting: waiting ?? new Map(),
    });
    const agree = waiting !== null || lost > 0;
    const problem = JSON.stringify({ integrity, agree, doubled, undercounted: lost > 0 ? 0 : undercounted });
    return { missing: lost, problem: problem === FINE ? null : problem };
  } finally {
    database.close();
  }
}

const FINE = JSON.stringify({ integrity: 'ok', agree: true, doubled: 0, undercounted: 0 });
