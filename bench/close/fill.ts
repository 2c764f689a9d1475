import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { tallyhook } from '../command.ts';
import { emptyLog, FROM, fillPart, makeDatabase, PROFILE, TO, WHOLE_MONTH } from '../reconcile/fill.ts';
import type { Workplace } from '../workplace.ts';

// Reconciled months to close: a large one with few exceptions, and one with many; and spreadsheets of the exceptions.

const SHEET_ROWS = 10_000;

/** Makes a database with a month of records and a wallet statement about them, and reconciles it. Three of `every` are wrong. */
export function reconciledMonth(workplace: Workplace, name: string, records: number, every: number): string {
  const database = workplace.path(`${name}.db`);
  const files = { lines: workplace.path(`${name}-lines.csv`), records: workplace.path(`${name}-records.csv`) };
  makeDatabase(database);
  fillPart(database, { first: 1, last: records, every, ...WHOLE_MONTH }, files);
  writeFileSync(workplace.path('profile.yaml'), PROFILE);
  tallyhook(workplace, database, ['statements', 'import', files.lines, '--profile', 'profile.yaml']);
  tallyhook(workplace, database, ['reconcile', '--from', FROM, '--to', TO]);
  emptyLog(database);
  return database;
}

/** Exports the exceptions, and writes an assignee and a comment into pieces of 10,000 rows each; the paths of the pieces. */
export function filledSheets(workplace: Workplace, database: string): string[] {
  const exported = workplace.path('exceptions.csv');
  tallyhook(workplace, database, ['exceptions', 'export', '--format', 'csv', '--out', exported]);
  const [head = [], ...rows] = parse(readFileSync(exported), { bom: true }) as string[][];
  const [assignee, comment] = [head.indexOf('assignee'), head.indexOf('comment')];
  const items = rows.filter(([id]) => id?.startsWith('x-'));
  for (const [index, row] of items.entries()) {
    row[assignee] = 'Ada Obi';
    row[comment] = `seen on page ${index}`;
  }
  return Array.from({ length: Math.ceil(items.length / SHEET_ROWS) }, (_, piece) => {
    const path = workplace.path(`sheet-${piece}.csv`);
    writeFileSync(path, stringify([head, ...items.slice(piece * SHEET_ROWS, (piece + 1) * SHEET_ROWS)]));
    return path;
  });
}
