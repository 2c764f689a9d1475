import { expect, test } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import { sumUntil } from '../../../../src/domain/matching/postings.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import { octoberTerms, ourRow, type RowParts, said, theirLine } from '../../../support/matching/groups.ts';

// A line that says 100.00 before charges and another amount after them, in a file without columns of charges.

const line = (type: TheirLine['type'], amount: string) => ({ ...theirLine(type, amount), principal: 10_000n });
const sale = (parts: RowParts) => ourRow('collection', 'success', { amount: '100.00', ...parts });
const payout = (parts: RowParts) => ourRow('payout', 'success', { amount: '100.00', ...parts });

test.each<[string, OurRow, TheirLine, string[]]>([
  ['charges that we do not know are theirs', sale({}), line('collection', '97.85'), []],
  ['charges that agree are no break', sale({ fees: '2.15' }), line('collection', '97.85'), []],
  ['another fee', sale({ fees: '3.00' }), line('collection', '97.85'), ['fee_mismatch 3.00 2.15 0.85']],
  ['of a debit the charges come to the amount', payout({}), line('payout', '-101.00'), []],
  ['our duty is none of its fee', payout({ fees: '1.00', duty: '0.50' }), line('payout', '-101.50'), []],
  [
    'another gross amount',
    sale({ amount: '90.00' }),
    line('collection', '97.85'),
    ['amount_mismatch 90.00 97.85 7.85'],
  ],
])('where a line says gross and net alone: %s', (_, row, one, verdicts) => {
  const judged = judgeGroup(row, [one], octoberTerms({}));
  expect(judged.verdicts.map(said)).toEqual(verdicts);
  const effects = judged.verdicts.reduce((sum, { effect }) => sum + effect, 0n);
  expect(sumUntil(judged.theirs, '2026-10-31') - sumUntil(judged.ours, '2026-10-31')).toBe(effects);
});
