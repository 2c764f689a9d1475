import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../../../../src/store/open.ts';
import { idsInBatches } from '../../../../../src/store/sqlite/read/in-batches.ts';
import { rowCheck } from '../../../../../src/store/sqlite/upkeep/row-check.ts';
import { Handle } from '../../../../contract/store/handle.ts';
import { imported } from '../../../../contract/store/importing.ts';
import { begunRun, breakOf, matchOf, wholeRun } from '../../../../contract/store/matching.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

// The views that people query, and the indexes behind what is found at once.

const db = new TestDatabase();
const handle = new Handle(() => openStore(db.path), {
  limit: 1,
  onFatal: () => {},
  onFault: () => {},
});
afterAll(async () => {
  await handle.close();
  db.remove();
});

beforeAll(async () => {
  await imported(handle, 'ab');
  const [a, b] = [await matchOf(handle, 'a'), await matchOf(handle, 'b')];
  await wholeRun(handle, { matches: [a, b], breaks: [breakOf('first')] });
  await wholeRun(handle, { ended: [1], breaks: [breakOf('second'), breakOf('third')] });
  await wholeRun(handle, { breaks: [breakOf('of the bank')] }, { account: 'bank' });
  const { runs } = await handle.operations();
  const unfinished = await begunRun(handle);
  await runs.keepMatches({ run: unfinished, matches: [a] });
  await runs.endMatches({ run: unfinished, ids: [2] });
  await runs.keepBreaks({ run: unfinished, breaks: [breakOf('unfinished')] });
});

const column = (sql: string) => db.database.prepare<[], unknown>(sql).pluck().all();

test('the views have whole runs, valid matches, and the breaks of the last run of each scope', () => {
  expect(column('SELECT id FROM runs ORDER BY id')).toEqual([1, 2, 3]);
  expect(column('SELECT reference FROM matches')).toEqual(['b']);
  expect(column('SELECT reference FROM breaks ORDER BY run_id, reference')).toEqual(['second', 'third', 'of the bank']);
});

test('the examination of the rows finds nothing wrong with what a run keeps', () => {
  expect(rowCheck(db.database).all()).toEqual([]);
});

test.each([
  ['a match by its line', 'SELECT * FROM matches WHERE line_id = 7', /kept_matches_line \(line_id=\?\)/],
  [
    'a match by its reference',
    idsInBatches('kept_matches', 'reference').replace('@wanted', "'a'"),
    /kept_matches_reference \(batch=\? AND reference=\?\)/,
  ],
  [
    'a break by its id',
    idsInBatches('kept_breaks', 'break_id').replace('@wanted', "'x'"),
    /kept_breaks_break \(batch=\? AND break_id=\?\)/,
  ],
  [
    'a break by its reference',
    idsInBatches('kept_breaks', 'reference').replace('@wanted', "'a'"),
    /kept_breaks_reference \(batch=\? AND reference=\?\)/,
  ],
])('%s is found by an index, and no table is read', (_, sql, index) => {
  const plan = db.database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
  const details = plan.map(({ detail }) => detail);
  expect(details.join('\n')).toMatch(index);
  expect(details.filter((detail) => /^SCAN (?!batches)(?!CONSTANT)\w+$/.test(detail))).toEqual([]);
});

test('a run whose process is gone is given up at once, long before its lease is over', async () => {
  await expect(begunRun(handle)).rejects.toMatchObject({ fault: 'busy' });
  const gone = spawnSync(process.execPath, ['--version']).pid;
  db.database.prepare('UPDATE reconciliation_runs SET pid = ? WHERE leased_until IS NOT NULL').run(gone);
  const run = await begunRun(handle);
  const { runs } = await handle.operations();
  await runs.finishRun({ run, report: '{}' });
  expect(column('SELECT id FROM runs ORDER BY id')).toEqual([1, 2, 3, run]);
  expect(column('SELECT reference FROM matches')).toEqual(['b']);
});
