import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { FixedClock } from '../../support/fixed-clock.ts';
import { temporaryFolder } from '../../support/folder.ts';

const newPath = () => join(temporaryFolder(), 'tallyhook.db');

test('the address of a database server is refused, and its password is not shown', () => {
  const open = () => openStore('postgres://user:secret-word@host/db');
  expect(open).toThrow(/SQLite only/);
  expect(open).not.toThrow(/secret-word/);
});

test('a clock that the threads of the store could not read is refused, not ignored', () => {
  expect(() => openStore(newPath(), { clock: { nowMs: () => 0 } })).toThrow(/shared/);
  expect(() => openStore(newPath(), { clock: new FixedClock() })).not.toThrow();
});

test('a journal that is closed says so', async () => {
  const journal = await openStore(newPath()).requestJournal();
  await journal.close();
  await expect(journal.knowsRefund('test', 'R1')).rejects.toMatchObject({ name: 'StoreError', fault: 'closing' });
});
