import { MINUTE_MS } from '../../../time/clock.ts';
import type { Database } from './database.ts';

/*
 * A restored database has forgotten moves of its records that consumers of news took already. Each restore therefore raises a
 * number in the header of the file, which every schema and every backup has, and moves are numbered from there.
 */

/** Most moves of a record between two restores. */
const MOVES = 1_000_000;

/** The number of the latest restore; 0 for a database that was never restored. */
export function generationOf(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

export function setGeneration(database: Database, generation: number): void {
  database.pragma(`user_version = ${generation}`);
}

/**
 * Returns the number of a restore: the minutes since 1970, so that it also rises when the present database is lost; above
 * `earlier` in any case, the numbers of the backup and the present database.
 */
export function nextGeneration(nowMs: number, ...earlier: readonly number[]): number {
  return Math.max(Math.floor(nowMs / MINUTE_MS), ...earlier.map((one) => one + 1));
}

/** Every move that is recorded from now on has an `n` above this: 0, or more than any move before the latest restore. */
export function movesBefore(database: Database): number {
  return generationOf(database) * MOVES;
}
