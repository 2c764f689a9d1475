import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Delivery } from '../../src/store/inbox.ts';
import { carrier } from '../../src/store/sqlite/carry-out/carry-out.ts';
import { joinLog } from '../../src/store/sqlite/carry-out/join-log.ts';
import { type Database, openDatabase } from '../../src/store/sqlite/engine/database.ts';
import { Appender } from '../../src/store/sqlite/log/appender.ts';
import { packEntry } from '../../src/store/sqlite/log/entry.ts';
import { logFileOf, openLog } from '../../src/store/sqlite/log/log-file.ts';
import { makeEmptyDatabase } from './empty-database.ts';
import { START_MS } from './fixed-clock.ts';
import { temporaryFolder } from './folder.ts';

/** Books with their log, in this process, step by step. */
export class LogWorld {
  path = join(temporaryFolder({ inMemory: true }), 'tallyhook.db');
  books!: Database;
  appender!: Appender;
  carrier!: ReturnType<typeof carrier>;
  log!: Database;

  constructor() {
    makeEmptyDatabase(this.path);
    this.open();
  }

  open(): void {
    this.books = openDatabase(this.path);
    const file = joinLog(this.books);
    this.log = openLog(file, { readonly: true });
    this.carrier = carrier(this.books, this.log, { zone: 'UTC' });
    this.appender = new Appender(file, { backlogBytes: 2 ** 30, carriedOut: this.carrier.carriedOut() });
  }

  append(...groups: readonly (readonly Delivery[])[]): void {
    this.appender.append(groups.map((group) => packEntry(group as [Delivery, ...Delivery[]])));
  }

  all(): void {
    this.carrier.allUntilNow(() => START_MS);
  }

  /** Deletes what was carried out, as far as one step goes. */
  forget(): boolean {
    this.appender.carriedOut(this.carrier.carriedOut());
    return this.appender.forget();
  }

  rows<Row>(sql: string): Row[] {
    return this.books.prepare<[], Row>(sql).all();
  }

  /** Copies the files as they are now, also in the middle of a transaction: what `kill -9` leaves. Returns the path of the books. */
  copy(): string {
    const there = join(temporaryFolder({ inMemory: true }), 'tallyhook.db');
    for (const file of [this.path, logFileOf(this.path)])
      for (const part of ['', '-wal'])
        if (existsSync(file + part)) copyFileSync(file + part, (file === this.path ? there : logFileOf(there)) + part);
    return there;
  }

  /** Goes on with such a copy; the files before are deleted. */
  goOnWith(copy: string): void {
    this.remove();
    this.path = copy;
    this.open();
  }

  remove(): void {
    this.close();
    rmSync(dirname(this.path), { recursive: true });
  }

  close(): void {
    this.appender.close();
    this.log.close();
    this.books.close();
  }
}
