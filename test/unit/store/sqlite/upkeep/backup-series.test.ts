import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUpInSeries } from '../../../../../src/store/sqlite/upkeep/backup-series.ts';
import { inspect } from '../../../../../src/store/sqlite/upkeep/copy.ts';
import { refund, START_MS, TestDatabase } from '../../../../support/test-database.ts';

const DAY_MS = 24 * 3_600_000;

let db: TestDatabase;
let folder: string;
beforeEach(() => {
  db = new TestDatabase();
  folder = join(db.folder, 'backups');
});
afterEach(() => db.remove());

const backUp = (day: number, keep = 3) =>
  backUpInSeries({ path: db.path, folder, keep, nowMs: START_MS + day * DAY_MS });
const files = () => readdirSync(folder).sort();

test('each backup is whole, private, and named after its time; the folder is made', () => {
  db.keep(refund('R1', 'pending'));
  const made = backUp(0);
  expect(made).toMatchObject({ events: 1, deleted: 0 });
  expect(files()).toEqual([expect.stringMatching(/^tallyhook-[0-9a-z]+-20261120T100000Z\.db$/)]);
  expect([statSync(folder).mode & 0o777, statSync(made.file).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(inspect(made.file).events).toBe(1);
});

test('the newest stay, as many as wanted', () => {
  for (const day of [0, 1, 2, 3, 4]) expect(backUp(day).deleted).toBe(day < 3 ? 0 : 1);
  expect(files().map((name) => name.slice(-19, -11))).toEqual(['20261122', '20261123', '20261124']);
  expect(backUp(5, 1).deleted).toBe(3);
  expect(files()).toHaveLength(1);
});

test('nothing that it did not make is touched: other names, other databases, folders', () => {
  const [mine = ''] = [backUp(0), files()[0]].slice(1) as string[];
  const series = mine.slice(0, mine.lastIndexOf('-') + 1);
  const strangers = [
    'tallyhook-2026-11-19.db', // by hand
    'tallyhook-abc-20200101T000000Z.db', // of another database
    `${series}20200101T000000Z.db.gz`,
    `${series}before-the-upgrade.db`,
    `x${series}20200101T000000Z.db`,
    `${series}20200101T000000Z.db-wal`,
  ];
  for (const name of strangers) writeFileSync(join(folder, name), 'precious');
  mkdirSync(join(folder, `${series}20200102T000000Z.db`));
  for (const day of [1, 2, 3]) backUp(day, 1);
  expect(files()).toEqual(expect.arrayContaining([...strangers, `${series}20200102T000000Z.db`]));
  expect(files()).toHaveLength(strangers.length + 2);
});

test('the one just made stays, also beside names that a clock running ahead has given', () => {
  for (const day of [400, 401, 402]) backUp(day);
  const { file, deleted } = backUp(0);
  expect([files().includes(basename(file)), files().length, deleted]).toEqual([true, 3, 1]);
});

test('what a killed backup left is cleared away by the next', () => {
  const { file } = backUp(0);
  writeFileSync(`${file.replace('20261120', '20261119')}.partial-4711`, 'half');
  backUp(1);
  expect(files().filter((name) => name.includes('partial'))).toEqual([]);
});

test('when the backup fails, nothing is deleted', () => {
  backUp(0);
  backUp(1);
  expect(() => backUp(1, 1)).toThrow(/exists already/);
  expect(files()).toHaveLength(2);
});

test('a folder whose own folder is missing is refused with what to do', () => {
  const lost = join(db.folder, 'no', 'such', 'place');
  expect(() => backUpInSeries({ path: db.path, folder: lost, keep: 1, nowMs: 0 })).toThrow(/cannot be made.*does not/);
});
