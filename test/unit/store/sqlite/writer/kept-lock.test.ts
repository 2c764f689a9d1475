import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabaseFile, openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { temporaryFolder } from '../../../../support/receiver.ts';

/** Locks of this process on a file, as the system lists them. */
function locksOn(path: string): string[] {
  const { ino } = statSync(path);
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
}

test.runIf(process.platform === 'linux')(
  'a process that opens its database again keeps its lock: without it, a program that reads beside it takes the log away',
  () => {
    const path = join(temporaryFolder(), 'tallyhook.db');
    createDatabaseFile(path);
    const serving = openDatabase(path);
    serving.exec('CREATE TABLE kept (id INTEGER)');
    expect(locksOn(path)).toHaveLength(1);
    openDatabase(path, { readonly: true }).close();
    expect(locksOn(path)).toHaveLength(1);
    serving.close();
  },
);
