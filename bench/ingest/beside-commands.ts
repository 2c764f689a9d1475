import { readFileSync, writeFileSync } from 'node:fs';
import { type Beside, type BesideRow, measureBeside } from '../beside-command.ts';
import { filledSheets, reconciledMonth } from '../close/fill.ts';
import { tallyhook } from '../command.ts';
import { emptyLog, fillPart, makeDatabase, NEXT_DAY, PROFILE, WHOLE_MONTH } from '../reconcile/fill.ts';
import { WORDS } from '../reconcile/run.ts';
import type { Bench } from './bench.ts';

// How long deliveries take while another process imports, reconciles, closes, takes a spreadsheet or prunes, again and again.

/** Records of the month, with as many lines. */
const RECORDS = 100_000;
/** One record of two has a break: 10,000 rows for each of several sheets. */
const MANY = 4;
/** Numbers of records that are not wrong: three of so many are, the first ones. */
const RIGHT = { first: 10, every: 1_000_000_000 } as const;
/** A profile with balances, without which a month is not closed. */
const BALANCED = PROFILE.replace('name: bench', 'name: balanced').concat('balance: { running: balance }\n');
/** Files of as many lines each. A measurement of 8 s takes a few of them. */
const IMPORTS = 20;

export function besideCommands(bench: Bench): Promise<BesideRow[]> {
  const { workplace, rounds, seconds } = bench;
  bench.progress('beside: making two months and the files to import');
  const month = closableMonth(bench);
  const queue = reconciledMonth(workplace, 'queue', RECORDS, MANY);
  const sheets = filledSheets(workplace, queue);
  const files = Array.from({ length: IMPORTS }, (_, n) => linesFile(bench, n));
  const by = ['--as', 'Ada Obi'];
  const again = ['period', 'reopen', '2026-10', '--reason', 'a statement was missing', ...by];
  const subjects: Beside[] = [
    { name: 'idle', database: month, words: null },
    {
      name: 'statements import',
      database: month,
      words: (turn) => ['statements', 'import', files[turn % IMPORTS] ?? '', '--profile', 'profile.yaml'],
    },
    { name: 'reconcile --full', database: month, words: () => [...WORDS, '--full'] },
    {
      name: 'period close, reopen',
      database: month,
      words: (turn) => (turn % 2 === 0 ? ['period', 'close', '2026-10', ...by] : again),
    },
    {
      name: 'exceptions import',
      database: queue,
      words: (turn) => ['exceptions', 'import', sheets[turn % sheets.length] ?? '', ...by],
    },
    { name: 'prune', database: month, words: () => ['prune', '--older', '7d', '--yes', '--no-rewrite', ...by] },
  ];
  return measureBeside(workplace, subjects, { rounds, seconds });
}

/** A reconciled month in which everything agrees, with its balances. */
function closableMonth({ workplace }: Bench): string {
  const database = workplace.path('month.db');
  const files = { lines: workplace.path('month-lines.csv'), records: workplace.path('month-records.csv') };
  makeDatabase(database);
  fillPart(database, { ...RIGHT, last: RECORDS, ...WHOLE_MONTH }, files);
  const [head, ...rows] = readFileSync(files.lines, 'utf8').trim().split('\n');
  let balance = 1_000_000_000;
  const balanced = rows.map((row) => {
    balance += Math.round(Number(row.split(',')[3]) * 100);
    return `${row},${(balance / 100).toFixed(2)}`;
  });
  writeFileSync(files.lines, [`${head},balance`, ...balanced, ''].join('\n'));
  writeFileSync(workplace.path('balanced.yaml'), BALANCED);
  tallyhook(workplace, database, ['statements', 'import', files.lines, '--profile', 'balanced.yaml']);
  tallyhook(workplace, database, WORDS);
  emptyLog(database);
  return database;
}

/** A statement of the day after the month; each has lines of its own. */
function linesFile({ workplace }: Bench, n: number): string {
  const scratch = workplace.path('lines.db');
  makeDatabase(scratch);
  const files = { lines: workplace.path(`import-${n}.csv`), records: workplace.path('import-records.csv') };
  fillPart(scratch, { first: (n + 1) * RECORDS + 1, last: (n + 2) * RECORDS, ...NEXT_DAY }, files);
  workplace.remove('lines.db');
  return files.lines;
}
