import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { lockState, StateFileError, writeReason } from './state-lock.ts';
import type { World } from './world.ts';

/** Shortest time between two writes: a crash loses at most the changes of one second. */
const EVERY_MS = 1_000;

/** The file, and the seed it must have been made with, undefined for any. */
export interface WantedState {
  readonly file: string;
  readonly seed: number | undefined;
}

/**
 * Reads the state file if there is one, then writes it after changes, at most once a second. Returns the function that
 * writes it for the last time, for closing. `onError` is called once for a series of failed writes; the next second
 * tries again. Throws `StateFileError` when the file holds no state, when another sandbox uses it, when it was made with
 * another `seed`, or when it cannot be written.
 */
export async function keepState(
  world: World,
  { file, seed }: WantedState,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  const unlock = lockState(file);
  try {
    readState(world, { file, seed });
    const stop = await writeState(world, file, onError);
    return () => stop().finally(unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function readState(world: World, { file, seed }: WantedState): void {
  if (existsSync(file)) {
    try {
      restoreSnapshot(world, readFileSync(file, 'utf8'), true);
    } catch (error) {
      throw new StateFileError(
        `Cannot read the sandbox state ${file}: ${(error as Error).message}`,
        'The file was not changed. Replace it by a good copy, or choose another file with --state.',
        error,
      );
    }
  }
  if (seed !== undefined && seed !== world.state.seed)
    throw new StateFileError(
      `The state file ${file} was made with seed ${world.state.seed}, not ${seed}.`,
      `Keys and references depend on the seed. Start with seed ${world.state.seed}, without a seed, or with another file.`,
    );
}

async function writeState(world: World, file: string, onError: (error: Error) => void): Promise<() => Promise<void>> {
  let written = -1;
  let failing = false;
  let writing: Promise<void> = Promise.resolve();
  const write = async () => {
    if (written === world.changes) return;
    const { changes } = world;
    await replaceFile(file, takeSnapshot(world));
    written = changes;
    failing = false;
  };
  const save = (): Promise<void> => {
    writing = writing.then(write, write); // the next write starts also after a failed one
    return writing;
  };
  await save();
  const timer = setInterval(() => {
    save().catch((error) => {
      if (!failing) onError(error);
      failing = true;
    });
  }, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return save();
  };
}

/** Writes FILE.tmp and renames it, so that a crash or a full disk never leaves half a file. Mode 0600: it holds secret keys. */
async function replaceFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.tmp`, text, { mode: 0o600 });
    await rename(`${file}.tmp`, file);
  } catch (error) {
    await rm(`${file}.tmp`, { force: true });
    throw new StateFileError(
      `Cannot write the sandbox state ${file}: ${writeReason(error)}.`,
      'The previous version of the file is unchanged. Free disk space, or allow this user to write to its folder.',
      error,
    );
  }
}
