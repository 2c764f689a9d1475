import { expect, test } from 'vitest';
import { firstOpenDay } from '../../../../src/reconcile/closing/first-open-day.ts';

const closed = (set: string, environment: 'test' | 'live', from: string, to: string) => ({
  set,
  environment,
  from,
  to,
});
const LIVE_OCTOBER = closed('live', 'live', '2026-10-01', '2026-10-31');

test.each([
  ['nothing is closed', [], ['live'], '2026-10-01'],
  ['the only environment closed October', [LIVE_OCTOBER], ['live'], '2026-11-01'],
  ['the other one closed nothing', [LIVE_OCTOBER], ['test', 'live'], '2026-10-01'],
  [
    'of two sets the one that is behind',
    [LIVE_OCTOBER, closed('shop', 'live', '2026-09-01', '2026-10-15')],
    ['live'],
    '2026-10-16',
  ],
  ['what is closed lies before', [closed('live', 'live', '2026-08-01', '2026-08-31')], ['live'], '2026-10-01'],
])('%s', (_, periods, environments, expected) => {
  expect(firstOpenDay('2026-10-01', periods, environments)).toBe(expected);
});
