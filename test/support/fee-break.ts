import type { KeptBreak } from '../../src/store/runs.ts';

export const BREAK_ID = 'x-0123456789abcdef01234567';
export const BREAK: KeptBreak = {
  id: BREAK_ID,
  code: 'fee_mismatch',
  sub: null,
  leg: 'records-wallet',
  side: 'ours',
  kind: 'collection',
  environment: 'test',
  account: 'wallet-main',
  reference: 'C-1',
  field: 'fee',
  currency: 'NGN',
  ours: '12.50',
  theirs: '15.00',
  variance: '2.50',
  effect: '-2.50',
  line: null,
  candidates: [],
  date: '2026-10-02',
  firstSeen: '2026-10-02',
  reason: 'fee 15.00, schedule says 12.50',
  nextStep: 'Claim 2.50 NGN from the service.',
  recordId: null,
};
