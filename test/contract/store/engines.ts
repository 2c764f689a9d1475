import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreOptions } from '../../../src/store/library.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { differencesElsewhere, settingsOf } from '../../support/carried-twice/carried-twice.ts';
import { writesOf } from '../../support/carried-twice/written.ts';
import { FixedClock } from '../../support/fixed-clock.ts';
import { makeSharedPlace, openShared } from '../../support/shared-log/shared-place.ts';
import '../../support/kept-threads.ts';
import { parentFolder } from '../../support/run-folder.ts';

/** A place with a new, empty database. */
export interface Place {
  readonly location: string;
  /** What differs when all that was written there is carried out again, on another machine; every handle on it is closed. */
  differencesAgain(options: StoreOptions): Promise<string[]>;
  remove(): Promise<void>;
}

/** What the suite runs against: how to get a place for a database, and the port of that engine. */
export interface Engine {
  readonly name: string;
  /**
   * Other machines share its log. The time of each write is that of its entry: it never goes back, and a receiver's own clock decides nothing.
   */
  readonly hasSharedLog?: true;
  /** `recorded`: what is written there is to be carried out again, which needs a record where no log holds it. */
  make(order: { readonly recorded: boolean }): Promise<Place>;
  /** A handle on the database at `location`. Two handles are what two processes have. */
  open(location: string, options: StoreOptions): Store;
}

/** A new engine is one more entry here; no guarantee changes. */
export const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    async make({ recorded }) {
      const folder = await mkdtemp(join(parentFolder(true), 'tallyhook-contract-'));
      const location = join(folder, 'tallyhook.db');
      emptyFile ??= makeEmptyFile();
      const base = await emptyFile;
      await copyFile(base, location);
      if (recorded) await writeFile(writesOf(location), '');
      return {
        location,
        differencesAgain: (options) =>
          differencesElsewhere({ database: location, base, settings: settingsOf(location, options) }),
        remove: () => rm(folder, { recursive: true, force: true }),
      };
    },
    open: openStore,
  },
  {
    name: 'SQLite over a shared log',
    hasSharedLog: true,
    make: makeSharedPlace,
    open: openShared,
  },
];

/** Made once; copying it takes a tenth of the time. */
let emptyFile: Promise<string> | undefined;

async function makeEmptyFile(): Promise<string> {
  const folder = mkdtempSync(join(parentFolder(true), 'tallyhook-contract-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'tallyhook.db');
  const operations = await openStore(path, { clock: new FixedClock() }).operations({ create: true });
  await operations.close();
  return path;
}
