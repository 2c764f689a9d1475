import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import SQLite, { type Database } from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { defineRowSum, sumRows } from '../../../../../src/store/sqlite/engine/row-sums.ts';
import { examineRows } from '../../../../../src/store/sqlite/upkeep/examine-rows.ts';
import { rowCheck } from '../../../../../src/store/sqlite/upkeep/row-check.ts';

const folder = mkdtempSync(join(tmpdir(), 'tallyhook-rows-'));
let made = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(file: string): Database {
  const database = new SQLite(file);
  defineRowSum(database);
  return database;
}

/** A table of four rows whose index over names lacks `lost` of them, as after a lost write of the index alone. */
function withLostEntries(lost: number): Database {
  const file = join(folder, `${++made}.db`);
  const first = open(file);
  first.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)');
  sumRows(first);
  first.exec(`CREATE INDEX things_name ON things (name) WHERE id > ${lost}`);
  first.exec("INSERT INTO things (name) VALUES ('a'), ('b'), ('c'), ('d')");
  first.unsafeMode(true);
  first.pragma('writable_schema = ON');
  first.exec("UPDATE sqlite_schema SET sql = 'CREATE INDEX things_name ON things (name)' WHERE name = 'things_name'");
  first.close();
  return open(file);
}

test.each([
  [0, []],
  [1, ['1 row of things is not found by the index things_name']],
  [2, ['2 rows of things are not found by the index things_name']],
])('an index without %i of its rows is named', (lost, damage) => {
  const database = withLostEntries(lost);
  expect(rowCheck(database).all()).toEqual(damage);
  database.close();
});

test('a walk ends at the rows that were there when it began, however many are written meanwhile', () => {
  const database = withLostEntries(0);
  const check = rowCheck(database);
  database.exec(`INSERT INTO things (name) VALUES ${Array(1_000).fill("('new')").join(', ')}`);
  expect(check.next(null)).toEqual({ damage: [], next: null });
  expect(rowCheck(database).next(null).next).toEqual({ table: 'things', after: [256] });
  database.close();
});

test('rows that another connection updates while they are compared are not called damaged, by `doctor` or by `serve`', () => {
  const database = withLostEntries(0);
  database.pragma('journal_mode = WAL');
  const writer = open(database.name);
  const update = writer.prepare("UPDATE things SET name = name || '.'");
  let updates = 0;
  // The check computes the sum of each row with this function, so every row changes under its hands.
  database.function('row_sum', { deterministic: true }, (text: string) => {
    updates += update.run().changes;
    return BigInt(crc32(text));
  });
  const check = rowCheck(database);
  for (let run = 0; run < 10; run++) {
    expect([examineRows(database).status, check.next(null)]).toEqual(['ok', { damage: [], next: null }]);
  }
  expect(updates).toBeGreaterThanOrEqual(10 * 2 * 4);
  writer.close();
  database.close();
});
