import { expect, test } from 'vitest';
import { isStillCarried } from '../../../../src/domain/exceptions/carried-until.ts';
import type { PeriodState } from '../../../../src/domain/periods/period.ts';

test.each<[name: string, states: readonly PeriodState[], from: string, is: boolean]>([
  ['a month that was never closed, in the next one', [], '2026-11-01', true],
  ['a month that was never closed, at the end of the next one', [], '2026-11-30', true],
  ['a month that was never closed, after that', [], '2026-12-01', false],
  ['a closed month', ['closed'], '2026-11-01', false],
  ['a locked month', ['locked'], '2026-11-01', false],
  ['a month that is opened again', ['open'], '2027-02-01', true],
])('what is carried out of %s', (_, states, from, is) => {
  for (const until of ['2026-10-31', '2026-10-15']) expect(isStillCarried({ until, from, states })).toBe(is);
});
