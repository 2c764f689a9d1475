import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type ImportingStatements,
  importStatement,
  MOST_UNPARSED_LISTED,
} from '../../../../src/reconcile/import/import.ts';
import { removeStatement } from '../../../../src/reconcile/import/remove.ts';
import { readProfile } from '../../../../src/reconcile/profile/load.ts';
import { StoreError } from '../../../../src/store/error.ts';
import { MOST_ROWS_KEPT } from '../../../../src/store/statements.ts';
import { PROFILE, walletCsv } from '../../../support/statement-files.ts';

// What an import asks of the store, in which order; the store itself is proved by its contract.

const folder = mkdtempSync(join(tmpdir(), 'tallyhook-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'a.csv');
const order = { path, profile: readProfile(PROFILE, 'wallet.yaml') };
const lines = (count: number) => walletCsv(Array.from({ length: count }, (_, index) => [`C-${index}`, 100] as const));
const parts = { signal: new AbortController().signal };

/** A store that accepts everything, and notes the calls. */
function noting(over: Partial<ImportingStatements> = {}) {
  const calls: string[] = [];
  const statements: ImportingStatements = {
    begin: async () => ({ outcome: 'begun', statement: 7 }),
    keep: async (rows) => ({ new: rows.lines.length, known: 0 }),
    finish: async () => ({ done: true }),
    abandon: async () => ({ done: true }),
    ...over,
  };
  const noted = Object.fromEntries(
    Object.entries(statements).map(([name, call]) => [
      name,
      (input: { lines?: unknown[] }) => {
        calls.push(input.lines === undefined ? name : `${name} ${input.lines.length}`);
        return (call as (one: unknown) => unknown)(input);
      },
    ]),
  );
  return { statements: noted as unknown as ImportingStatements, calls };
}

test('rows are kept in chunks of one transaction, and then the statement is finished', async () => {
  writeFileSync(path, lines(2 * MOST_ROWS_KEPT + 1));
  const { statements, calls } = noting();
  expect(await importStatement(order, statements, parts)).toMatchObject({
    outcome: 'imported',
    statement: 7,
    new: 2 * MOST_ROWS_KEPT + 1,
  });
  expect([calls[0], calls.at(-1)]).toEqual(['begin', 'finish']);
  const kept = calls.slice(1, -1).map((call) => Number(call.split(' ')[1]));
  expect(kept.reduce((sum, count) => sum + count, 0)).toBe(2 * MOST_ROWS_KEPT + 1);
  expect(Math.max(...kept)).toBeLessThanOrEqual(MOST_ROWS_KEPT);
});

test('what an earlier import left is cleared away first, as often as it takes', async () => {
  writeFileSync(path, lines(1));
  let left = 3;
  const { statements, calls } = noting({
    begin: async () => (left-- > 0 ? { outcome: 'clearing' } : { outcome: 'begun', statement: 7 }),
  });
  expect(await importStatement(order, statements, parts)).toMatchObject({ outcome: 'imported' });
  expect(calls).toEqual(['begin', 'begin', 'begin', 'begin', 'keep 1', 'finish']);
});

test('a signal while it clears away, or in the middle, stops it; nothing is finished', async () => {
  writeFileSync(path, lines(2 * MOST_ROWS_KEPT));
  const clearing = new AbortController();
  const first = noting({
    begin: async () => {
      clearing.abort();
      return { outcome: 'clearing' };
    },
  });
  expect(await importStatement(order, first.statements, { ...parts, signal: clearing.signal })).toEqual({
    outcome: 'stopped',
  });
  expect(first.calls).toEqual(['begin']);

  const middle = new AbortController();
  let left = 2;
  const second = noting({
    keep: async () => {
      middle.abort();
      return { new: 1, known: 0 };
    },
    abandon: async () => ({ done: left-- === 0 }),
  });
  expect(await importStatement(order, second.statements, { ...parts, signal: middle.signal })).toEqual({
    outcome: 'stopped',
  });
  expect(second.calls.map((call) => call.split(' ')[0])).toEqual(['begin', 'keep', 'abandon', 'abandon', 'abandon']);
});

test('a signal at the last chunk stops it, too: by then it was said that nothing shows', async () => {
  writeFileSync(path, lines(1));
  const stop = new AbortController();
  const { statements, calls } = noting({
    keep: async () => {
      stop.abort();
      return { new: 1, known: 0 };
    },
  });
  expect(await importStatement(order, statements, { ...parts, signal: stop.signal })).toEqual({ outcome: 'stopped' });
  expect(calls).toEqual(['begin', 'keep 1', 'abandon']);
});

test('a file that changes while it is imported is refused, and what was kept of it abandoned', async () => {
  writeFileSync(path, lines(3));
  const { statements, calls } = noting({
    begin: async () => {
      appendFileSync(path, '2026-10-01,C-9,Collection,,1.00,1004.00\n');
      return { outcome: 'begun', statement: 7 };
    },
  });
  await expect(importStatement(order, statements, parts)).rejects.toThrow(/another content than a moment ago/);
  expect(calls.at(-1)).toBe('abandon');
  expect(calls).not.toContain('finish');
});

test('an error of the store is the error of the import, also when nothing can be abandoned any more', async () => {
  writeFileSync(path, lines(1));
  const full = new StoreError('disk_full', 'The disk is full.');
  const fail = async () => Promise.reject(full);
  await expect(importStatement(order, noting({ keep: fail, abandon: fail }).statements, parts)).rejects.toBe(full);
});

test('of a file that the profile cannot read at all, some rows are listed and all are counted', async () => {
  const rows = Array.from({ length: MOST_UNPARSED_LISTED + 5 }, () => '2026-10-01,C,Collection,,x,0');
  writeFileSync(path, `Date,Reference,Type,Details,Amount,Balance\n${rows.join('\n')}\n`);
  const result = await importStatement(order, noting().statements, parts);
  if (result.outcome !== 'imported') throw new Error(result.outcome);
  expect(result.totals.unparsed).toBe(MOST_UNPARSED_LISTED + 5);
  expect(result.unparsed).toHaveLength(MOST_UNPARSED_LISTED);
});

test('a removal goes on until it is done, or to the end of a step when it is stopped', async () => {
  const stop = new AbortController();
  const pieces = [
    { lines: 3, left: 1, matches: 2, done: false },
    { lines: 2, left: 0, matches: 1, done: true },
  ];
  const remove = (from: typeof pieces) => {
    const queue = [...from];
    return { remove: async () => queue.shift() ?? null };
  };
  expect(await removeStatement({ statement: 1 }, remove(pieces), parts)).toEqual({
    lines: 5,
    left: 1,
    matches: 3,
    stopped: false,
  });
  expect(await removeStatement({ statement: 1 }, remove([]), parts)).toBeNull();
  stop.abort();
  const stopped = await removeStatement({ statement: 1 }, remove(pieces), { ...parts, signal: stop.signal });
  expect(stopped).toEqual({ lines: 3, left: 1, matches: 2, stopped: true });
});
