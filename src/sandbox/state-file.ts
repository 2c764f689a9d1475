import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { lockState, StateFileError } from './state-lock.ts';
import type { World } from './world.ts';

const EVERY_MS = 1_000;

/** Which file, and the seed it must be of when one was asked for. */
export interface WantedState {
  readonly file: string;
  readonly seed: number | undefined;
}

/**
 * Keeps a sandbox in a file: reads it when it is there, then writes it after changes, once a second at most. Returns
 * the last write, for closing. A crash loses up to a second. Throws when the file holds something else, when another
 * sandbox keeps itself in it, or when it was made with another `seed` than the one asked for.
 */
export async function keepState(
  world: World,
  { file, seed }: WantedState,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  const unlock = lockState(file);
  try {
    const stop = await readAndKeep(world, { file, seed }, onError);
    return () => stop().finally(unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function readAndKeep(
  world: World,
  { file, seed }: WantedState,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  if (existsSync(file)) {
    try {
      restoreSnapshot(world, readFileSync(file, 'utf8'), true);
    } catch (error) {
      throw new Error(`cannot read the sandbox state ${file}: ${(error as Error).message}`, { cause: error });
    }
  }
  if (seed !== undefined && seed !== world.state.seed)
    throw new StateFileError(
      `The state file ${file} was made with seed ${world.state.seed}, not ${seed}.`,
      `Its keys and references stay those of its seed: ask for ${world.state.seed} or for none, or take another file.`,
    );
  let written = -1;
  let writing: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    const write = async () => {
      if (written === world.changes) return;
      const { changes } = world;
      // Beside the file and then in its place, so that a crash never leaves half of one. It holds secret keys: 0600.
      await writeFile(`${file}.tmp`, takeSnapshot(world), { mode: 0o600 });
      await rename(`${file}.tmp`, file);
      written = changes;
    };
    writing = writing.then(write, write); // a write that failed does not stop the next one
    return writing;
  };
  await save();
  const timer = setInterval(() => void save().catch(onError), EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return save();
  };
}
