import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
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
 * the last write, for closing. A crash loses up to a second. `onError` is told of the first of a row of writes that
 * fail; each second tries again. Throws `StateFileError` when the file holds something else, when another sandbox
 * keeps itself in it, when it was made with another `seed` than the one asked for, or when it cannot be written.
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
        `cannot read the sandbox state ${file}: ${(error as Error).message}`,
        'It is left as it is. Put a good copy in its place, or take another file with --state.',
        error,
      );
    }
  }
  if (seed !== undefined && seed !== world.state.seed)
    throw new StateFileError(
      `The state file ${file} was made with seed ${world.state.seed}, not ${seed}.`,
      `Its keys and references stay those of its seed: ask for ${world.state.seed} or for none, or take another file.`,
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
    writing = writing.then(write, write); // a write that failed does not stop the next one
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

/** Beside the file and then in its place, so that neither a crash nor a full disk leaves half of one. It holds secret keys: 0600. */
async function replaceFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.tmp`, text, { mode: 0o600 });
    await rename(`${file}.tmp`, file);
  } catch (error) {
    await rm(`${file}.tmp`, { force: true });
    throw new StateFileError(
      `cannot write the sandbox state ${file}: ${(error as Error).message}`,
      'What was written before is still there. Make room, or allow this user to write beside it.',
      error,
    );
  }
}
