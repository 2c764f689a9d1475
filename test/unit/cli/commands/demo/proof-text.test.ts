import { expect, test } from 'vitest';
import { isProved } from '../../../../../cli/commands/demo/proof-text.ts';
import type { DemoBreak, Reconciled } from '../../../../../cli/commands/demo/reconcile.ts';

// When the demo says that its month is proved; else it ends with 1.

const planted: DemoBreak = {
  code: 'missing_external',
  reference: 'order-1',
  currency: 'NGN',
  effect: '-1.00',
  source: 'files',
  because: 'left out of the wallet',
};
const balance: Reconciled['proof'][number] = {
  environment: 'test',
  account: 'm1-wallet-ngn',
  currency: 'NGN',
  rows: [],
  isBalanceStated: true,
  covers: { from: '2026-10-01', to: '2026-10-31' },
  unexplained: '0.00',
};
const proved: Reconciled = {
  ...{ from: '2026-03-02', to: '2026-03-04', files: 1, lines: 2, faults: 1, missed: [], matched: {} },
  breaks: [planted],
  proof: [balance],
  page: 'data/demo-report.html',
};

test.each<[string, Partial<Reconciled>, boolean]>([
  ['every break is planted and nothing is unexplained', {}, true],
  ['a break was not planted', { breaks: [planted, { ...planted, source: null, because: null }] }, false],
  ['a planted fault made no break', { missed: ['order-2 twice in the wallet'] }, false],
  ['a balance is not explained', { proof: [balance, { ...balance, unexplained: '0.01' }] }, false],
  ['there is no balance', { proof: [] }, false],
])('%s: %o', (_, found, answer) => {
  expect(isProved({ ...proved, ...found })).toBe(answer);
});
