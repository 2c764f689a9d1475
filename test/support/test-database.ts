import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptContent } from '../../src/domain/events/webhook-observation.ts';
import type { Delivery } from '../../src/store/inbox.ts';
import { type CarriedContent, contentObserver } from '../../src/store/sqlite/carry-out/observing.ts';
import { type Database, openDatabase, writing } from '../../src/store/sqlite/engine/database.ts';
import { eventWrites, type KeptDelivery } from '../../src/store/sqlite/write/events.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { START_MS } from './fixed-clock.ts';
import { parentFolder } from './run-folder.ts';

export { collection, delivery, payout, refund } from './deliveries.ts';
export { START_MS };

/** A real database file, written by the same code as in production, in a folder of its own. */
export class TestDatabase {
  readonly folder: string;
  readonly path: string;
  readonly database: Database;
  readonly #keep: (deliveries: readonly Delivery[]) => KeptDelivery[];
  readonly #observe: (contents: readonly CarriedContent[], nowMs: number) => unknown;
  /** Kept, and not observed yet. */
  #contents: KeptContent[] = [];

  /** `from`: the path of a closed one, to begin as its copy. */
  constructor(from?: string) {
    this.folder = mkdtempSync(join(parentFolder(true), 'tallyhook-store-'));
    this.path = join(this.folder, 'tallyhook.db');
    if (from === undefined) makeEmptyDatabase(this.path);
    else copyFileSync(from, this.path);
    this.database = openDatabase(this.path);
    const log = eventWrites(this.database);
    const observer = contentObserver(this.database, { zone: 'UTC' });
    this.#keep = writing(this.database, (deliveries: readonly Delivery[]) => log.keep(deliveries));
    this.#observe = writing(this.database, observer.observe);
  }

  keep(...deliveries: readonly Delivery[]): KeptDelivery[] {
    const kept = this.#keep(deliveries);
    this.#contents.push(...kept.flatMap(({ content }) => content ?? []));
    return kept;
  }

  apply(nowMs = START_MS): void {
    this.#observe(
      this.#contents.map((content) => ({ ...content, seq: 0 })),
      nowMs,
    );
    this.#contents = [];
  }

  keepAndApply(...deliveries: readonly Delivery[]): KeptDelivery[] {
    const kept = this.keep(...deliveries);
    this.apply(deliveries.at(-1)?.receivedAtMs);
    return kept;
  }

  remove(): void {
    if (this.database.open) this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
