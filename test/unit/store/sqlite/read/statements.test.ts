import { afterEach, beforeEach, expect, test } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../../../src/domain/checks/next-check.ts';
import { rowCheck } from '../../../../../src/store/sqlite/upkeep/row-check.ts';
import { MOST_ROWS_CLEARED } from '../../../../../src/store/statements.ts';
import type { Handle } from '../../../../contract/store/handle.ts';
import { begun, lineOf, linesOf, orderOf, totalsOf, unreadable } from '../../../../contract/store/importing.ts';
import { type OpenOperations, openOperations } from '../../../../support/operations.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

// The views of statements, which people read with SQL.

let db: TestDatabase;
let operations: OpenOperations;
beforeEach(() => {
  db = new TestDatabase();
  operations = openOperations(db.path, STANDARD_CHECK_RULES);
});
afterEach(async () => {
  await operations.close();
  db.remove();
});

const handle = { operations: async () => operations } as unknown as Handle;
const count = (view: string) => db.database.prepare<[], number>(`SELECT count(*) FROM ${view}`).pluck().get();
const counts = () => ['statements', 'statement_lines', 'statement_unparsed'].map(count);

test('the views leave out an import that is under way, and then show each line once', async () => {
  const { statements } = operations;
  const first = await begun(handle, orderOf('aab'));
  await statements.keep({ statement: first, lines: linesOf('aab'), unparsed: [unreadable(9)] });
  expect(counts()).toEqual([0, 0, 0]);
  await statements.finish({ statement: first, totals: totalsOf(3, { unparsed: 1 }) });
  expect(counts()).toEqual([1, 3, 1]);
  const second = await begun(handle, orderOf('abc'));
  await statements.keep({ statement: second, lines: linesOf('abc'), unparsed: [] });
  expect(counts()).toEqual([1, 3, 1]);
  await statements.finish({ statement: second, totals: totalsOf(3) });
  expect(counts()).toEqual([2, 4, 1]);
});

test('while a removed statement is being cleared away, the views show what others have, and nothing else of it', async () => {
  const { statements } = operations;
  const size = 2 * MOST_ROWS_CLEARED;
  const lines = Array.from({ length: size }, (_, index) => lineOf('a', index + 2, index + 1));
  const keep = async (name: string, some: typeof lines) => {
    const statement = await begun(handle, orderOf(name));
    for (let at = 0; at < some.length; at += MOST_ROWS_CLEARED) {
      await statements.keep({ statement, lines: some.slice(at, at + MOST_ROWS_CLEARED), unparsed: [] });
    }
    await statements.finish({ statement, totals: totalsOf(some.length) });
    return statement;
  };
  const first = await keep('whole', lines);
  const second = await keep('end', lines.slice(size - 10));
  const seen = () =>
    db.database
      .prepare('SELECT statement_id AS statement, count(*) AS lines FROM statement_lines GROUP BY 1 ORDER BY 1')
      .all();
  expect(seen()).toEqual([{ statement: first, lines: size }]);
  for (let done = false; !done; ) {
    done = (await statements.remove({ statement: first }))?.done ?? true;
    expect(seen()).toEqual([{ statement: second, lines: 10 }]);
  }
  expect(count('imported_lines')).toBe(10);
  expect(rowCheck(db.database).all()).toEqual([]);
});

test('an import that was cut short leaves no row behind, of no table', async () => {
  const { statements } = operations;
  const statement = await begun(handle, orderOf('ab'));
  await statements.keep({ statement, lines: linesOf('ab'), unparsed: [unreadable(9)] });
  while (!(await statements.abandon({ statement })).done);
  const tables = ['accounts', 'statement_profiles', 'imported_statements', 'imported_lines', 'imported_unparsed'];
  expect(tables.map(count)).toEqual([0, 0, 0, 0, 0]);
});

test('a line that a removed statement shares with one that shows and one being imported is that of the one that shows', async () => {
  const { statements } = operations;
  const keep = async (name: string) => {
    const statement = await begun(handle, orderOf(name));
    await statements.keep({ statement, lines: linesOf('ab'), unparsed: [] });
    return statement;
  };
  const first = await keep('first');
  await statements.finish({ statement: first, totals: totalsOf(2) });
  const shows = await keep('shows');
  await statements.finish({ statement: shows, totals: totalsOf(2) });
  const open = await keep('open');
  while (!(await statements.remove({ statement: first }))?.done);
  expect(counts()).toEqual([2, 2, 0]);
  while (!(await statements.abandon({ statement: open })).done);
  expect(counts()).toEqual([2, 2, 0]);
});

test('the rows of a dead import are deleted by the next one, which the views show whole', async () => {
  const { statements } = operations;
  const dead = await begun(handle, orderOf('dead'));
  await statements.keep({ statement: dead, lines: linesOf('abcd'), unparsed: [unreadable(9)] });
  db.database.exec('UPDATE accounts SET leased_until = 0');
  const next = await begun(handle, orderOf('ab'));
  expect([count('imported_lines'), count('imported_unparsed'), count('imported_statements')]).toEqual([0, 0, 1]);
  await statements.keep({ statement: next, lines: linesOf('ab'), unparsed: [] });
  await statements.finish({ statement: next, totals: totalsOf(2) });
  expect(counts()).toEqual([1, 2, 0]);
});
