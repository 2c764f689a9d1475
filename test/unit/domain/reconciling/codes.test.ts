import { expect, test } from 'vitest';
import { wordsOf } from '../../../../src/domain/reconciling/codes.ts';
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
