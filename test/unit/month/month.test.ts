import { expect, test } from 'vitest';
import { BREAK_CODES } from '../../../src/domain/reconciling/break.ts';
import { TO } from '../../support/month/days.ts';
import { type Month, makeMonth, makeScheduledMonth } from '../../support/month/month.ts';
import { PROOF_ROWS } from '../../support/month/story.ts';
import { writeFile } from '../../support/month/write-file.ts';
import { randomRuns } from '../../support/random-runs.ts';

/* The generator is an oracle only if its own sums hold: they are checked here without the product. */

const SEEDS = Array.from({ length: randomRuns(40) }, (_, seed) => seed + 1);
const monthOf = (seed: number) => makeMonth({ seed, clean: 200, each: 1 + (seed % 3) });

function addsUp({ proofs, files }: Month): void {
  for (const { account, rows, effects } of proofs) {
    for (const side of ['ours', 'theirs'] as const) {
      const moved = PROOF_ROWS.slice(0, -1).reduce((sum, row) => sum + (rows.get(row)?.[side] ?? 0n), 0n);
      expect([account.name, side, moved]).toEqual([account.name, side, rows.get('closing')?.[side]]);
    }
    const { ours = 0n, theirs = 0n } = rows.get('closing') ?? {};
    expect([account.name, theirs - ours]).toEqual([account.name, effects]);
    const last = files.findLast((file) => file.account === account && file.to <= TO);
    if (last?.fault !== 'closing') expect([account.name, last?.closing]).toEqual([account.name, theirs]);
  }
}

test('opening + movements = closing on both sides, and the effects are their difference', () => {
  for (const seed of SEEDS) addsUp(monthOf(seed));
  for (const seed of SEEDS) addsUp(makeScheduledMonth(seed));
  addsUp(makeMonth({ seed: 7, clean: 2_000, each: 20, books: false }));
});

test('a month without faults has no difference but timing', () => {
  const { book } = makeMonth({ seed: 3, clean: 500, each: 0 });
  expect(book.expected.filter(({ list }) => list !== 'timing')).toEqual([]);
});

test('every code is planted but one: a late arrival needs a closed period', () => {
  const items = [monthOf(1), makeScheduledMonth(1)].flatMap(({ book }) => book.expected);
  const planted = new Set(items.map(({ code }) => code));
  expect(BREAK_CODES.filter((code) => !planted.has(code))).toEqual(['late_arrival']);
});

test('the files speak ten dialects, and every line of them has its rows', () => {
  const { files, book } = monthOf(2);
  expect(new Set(files.map(({ dialect }) => dialect.name)).size).toBeGreaterThanOrEqual(10);
  const placed = files.flatMap((plan) => [...writeFile(plan).rowsOf.keys()]);
  expect(new Set(placed).size).toBe(book.lines.length);
});

test('one seed makes one month, another seed another', () => {
  const bytes = (seed: number) => monthOf(seed).files.map((plan) => writeFile(plan).bytes.toString('base64'));
  expect(bytes(5)).toEqual(bytes(5));
  expect(bytes(5)).not.toEqual(bytes(6));
});
