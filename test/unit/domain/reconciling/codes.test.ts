import { expect, test } from 'vitest';
import { FILE_CODES, wordsOf } from '../../../../src/domain/reconciling/codes.ts';
import type { Told } from '../../../../src/domain/reconciling/told.ts';

const told = {
  ...{ code: 'status_mismatch', sub: 'internal_vs_statement', side: 'ours', field: 'status', detail: null },
  ...{ ours: 'processing', theirs: 'success', kind: 'payout', reference: 'P1', firstSeen: '2026-10-05' },
  ...{ account: 'wallet', line: null, candidates: [] },
} as unknown as Told;

test('a status that a statement contradicts is asked for by the command with its reference', () => {
  expect(wordsOf(told)).toEqual({
    reason: 'our record is processing, the statement shows it success',
    nextStep: 'Ask the service for its status: tallyhook sweep --reference P1',
  });
});

test.each<[string, Partial<Told>, string | null]>([
  ['of a record: its reference', { side: 'ours', kind: 'payout' }, 'P1'],
  ['of a line: its first candidate', { side: 'theirs', kind: 'payout' }, 'C1'],
  ['of one of ours without a record: its first candidate', { side: 'ours', kind: null }, 'C1'],
  ['of a line without a candidate: none', { side: 'theirs', candidates: [] }, null],
])('the example beside an ambiguous match is %s', (_what, given, reference) => {
  const { nextStep } = wordsOf({ ...told, code: 'ambiguous', line: 7, candidates: ['C1', 'C2'], ...given } as Told);
  const example =
    reference === null ? '.' : `, such as: tallyhook matches confirm --line STATEMENT:ROW --reference ${reference}`;
  expect(nextStep).toBe(`Look at its candidates, then say which one it is${example}`);
});

test.each<[Partial<Told>, string]>([
  [{ side: 'ours', ours: '5.00', detail: 'due by 2026-10-07' }, 'our payout of 5.00: due by 2026-10-07'],
  [{ side: 'theirs', theirs: '5.00', detail: null }, 'the statement shows 5.00 before our payout'],
  [
    { side: 'theirs', theirs: '5.00', detail: '2026-11-01' },
    'the statement shows 5.00 before our payout of 2026-11-01',
  ],
])('what waits for its counterpart says which of the two is there: %j', (given, reason) => {
  expect(wordsOf({ ...told, code: 'timing', ...given } as Told).reason).toBe(reason);
});

test('of a file itself are what it does not say, its own totals, and what lies between files', () => {
  expect(FILE_CODES.toSorted()).toEqual(['control_mismatch', 'statement_gap', 'unparsed']);
});
