import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { makeEmptyDatabase } from '../../../../support/empty-database.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

test('no insert makes a temporary table to check its constraints', () => {
  const path = join(temporaryFolder(), 'tallyhook.db');
  makeEmptyDatabase(path);
  const database = openDatabase(path, { readonly: true });
  const tables = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  expect(tables).toEqual(expect.arrayContaining(['events', 'refunds', 'observations', 'history', 'checks']));
  const opcodes = tables.map((table) => {
    const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => 'NULL').join(', ')})`;
    const steps = database.prepare<[], { opcode: string }>(`EXPLAIN ${insert}`).all();
    return [table, new Set(steps.map(({ opcode }) => opcode))] as const;
  });
  database.close();
  expect(opcodes.filter(([, names]) => !names.has('MakeRecord'))).toEqual([]);
  expect(opcodes.filter(([, names]) => names.has('OpenEphemeral')).map(([table]) => table)).toEqual([]);
});
