import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountPairs, type Offered, type Sought } from '../../../../src/reconcile/judge/amount-pairs.ts';
import { tiedGroups } from '../../../../src/reconcile/judge/ties.ts';
import { dayOf } from '../../../support/matching/agreeing.ts';
import { randomRuns } from '../../../support/random-runs.ts';

const key = fc.constantFrom('a', 'b', 'c');
const rows = fc
  .array(fc.record({ day: fc.nat({ max: 4 }), waits: fc.nat({ max: 2 }), keys: fc.array(key, { maxLength: 2 }) }), {
    maxLength: 8,
  })
  .map((all) =>
    all.map(({ day, waits, keys }, id): Sought => ({ id: id + 1, from: dayOf(day), until: dayOf(day + waits), keys })),
  );
const lines = fc
  .array(fc.record({ day: fc.nat({ max: 6 }), key }), { maxLength: 8 })
  .map((all) => all.map(({ day, key: name }, id): Offered => ({ id: id + 1, date: dayOf(day), key: name })));
const apart = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })), { maxLength: 3 })
  .map((all) => new Set(all.map(([line, row]) => `${line} ${row}`)));

const grouped = (groups: ReturnType<typeof tiedGroups>) =>
  groups.map((group) => `${group.lines.toSorted().join(',')} ${group.ours.toSorted().join(',')}`).toSorted();

it('ties what every pair would tie', () => {
  const holds = fc.property(rows, lines, apart, (ours, theirs, never) => {
    const every = theirs.flatMap((line) =>
      ours.flatMap((row) => {
        const isAlike = row.keys.includes(line.key) && line.date >= row.from && line.date <= row.until;
        return isAlike && !never.has(`${line.id} ${row.id}`) ? [{ line: line.id, ours: row.id }] : [];
      }),
    );
    expect(grouped(tiedGroups(amountPairs(ours, theirs, never)))).toEqual(grouped(tiedGroups(every)));
  });
  fc.assert(holds, { numRuns: randomRuns(2_000) });
});

it('ten thousand lines and rows of one amount and day are one tie', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const pairs = amountPairs(
    many.map((id) => ({ id, from: dayOf(1), until: dayOf(2), keys: ['payout -100'] })),
    many.map((id) => ({ id, date: dayOf(1), key: 'payout -100' })),
    new Set(),
  );
  expect(pairs.length).toBe(19_999);
  expect(tiedGroups(pairs)).toEqual([{ lines: many, ours: many }]);
});
