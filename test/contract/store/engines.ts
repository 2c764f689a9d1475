import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/store/open.ts';
import type { Store, StoreOptions } from '../../../src/store/store.ts';

/** A fresh place for one database. */
export interface Place {
  readonly location: string;
  remove(): Promise<void>;
}

/** What the suite runs against: how to get a place for a database, and the port of that engine. */
export interface Engine {
  readonly name: string;
  make(): Promise<Place>;
  /** A handle on the database at `location`. Two handles are what two processes have. */
  open(location: string, options: StoreOptions): Store;
}

/** A new engine is one more entry here; no claim changes. */
export const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    async make() {
      const folder = await mkdtemp(join(tmpdir(), 'tallyhook-contract-'));
      return { location: join(folder, 'tallyhook.db'), remove: () => rm(folder, { recursive: true, force: true }) };
    },
    open: openStore,
  },
];
