import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { packageFile } from '../../../../../src/package-root.ts';
import { fork } from '../../../../support/processes.ts';
import { refund, TestDatabase } from '../../../../support/test-database.ts';

// The check after an unclean stop, as the receiver starts it.

let db: TestDatabase;
const checked = () => {
  db = new TestDatabase();
  db.keepAndApply(...Array.from({ length: 200 }, (_, n) => refund(`R${n}`, 'success')));
  db.database.close();
};
const start = (): ChildProcess =>
  fork(packageFile('src/store/sqlite/upkeep/check-process.ts'), [db.path], { silent: true });
afterEach(() => db.remove());

test('a sound database: no problems, and it ends as one that has run', async () => {
  checked();
  const checker = start();
  const [message, ended] = await Promise.all([once(checker, 'message'), once(checker, 'close')]);
  expect([message, ended]).toEqual([
    [[], undefined],
    [0, null],
  ]);
});

test('a damaged one: what is wrong with it', async () => {
  checked();
  const file = openSync(db.path, 'r+');
  for (let page = 20; page < 60; page++) writeSync(file, Buffer.alloc(512, 0xff), 0, 512, page * 4096);
  closeSync(file);
  const checker = start();
  const [[problems], ended] = await Promise.all([once(checker, 'message'), once(checker, 'close')]);
  expect(problems).not.toEqual([]);
  expect(ended).toEqual([0, null]);
});
