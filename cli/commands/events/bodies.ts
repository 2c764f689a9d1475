import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeReasonOf } from '../../../src/config/problems.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import type { EventContents, Variant } from '../../../src/store/events.ts';

type Content = Pick<Variant, 'id' | 'prunedAtMs'>;

/** The file name of a body; null when the body is pruned. */
export function bodyFile(event: Content, variant?: Content): string | null {
  if ((variant ?? event).prunedAtMs !== null) return null;
  return variant === undefined ? `${event.id}.body` : `${event.id}.variant-${variant.id}.body`;
}

/** The folder of `events export --bodies`. When a body cannot be written, none of this export stays. */
export class BodyFolder {
  readonly #folder: string;
  readonly #isMade: boolean;
  readonly #written: string[] = [];

  /** Makes the folder, unless it is there. Throws TallyhookError. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#isMade = makeFolder(folder);
  }

  /** Writes the bodies of an event. Throws TallyhookError. */
  write(event: EventContents): void {
    this.#write(bodyFile(event), event.body);
    for (const variant of event.contents) this.#write(bodyFile(event, variant), variant.body);
  }

  /** Mode 0600, because a body may hold account numbers. */
  #write(name: string | null, body: Uint8Array): void {
    if (name === null) return;
    const file = join(this.#folder, name);
    try {
      writeFileSync(file, body, { mode: 0o600, flag: 'wx' });
      this.#written.push(name);
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
      // A full disk has room for the name, and for the beginning of a body.
      this.#discard(isThere ? [] : [name]);
      if (!isThere) throw notWritable(file, error, ' None of the bodies was kept.');
      throw new TallyhookError(`${file} exists already.`, { kind: 'usage', hint: 'Give --bodies an empty folder.' });
    }
  }

  #discard(begun: readonly string[]): void {
    for (const name of [...this.#written, ...begun]) rmSync(join(this.#folder, name), { force: true });
    if (this.#isMade) rmdirSync(this.#folder);
  }
}

/** Returns whether the folder is new. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 }); // a mistyped path must not make folders above it
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw notWritable(folder, error);
  }
}

function notWritable(path: string, cause: unknown, further = ''): TallyhookError {
  return new TallyhookError(`${path} cannot be written: ${writeReasonOf(cause)}.`, {
    kind: 'failed',
    hint: `Give --bodies a folder that this user can write to, on a disk with space.${further}`,
    cause,
  });
}
