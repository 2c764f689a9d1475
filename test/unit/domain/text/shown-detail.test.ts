import { expect, test } from 'vitest';
import type { FindingCode } from '../../../../src/domain/findings/finding.ts';
import { shownDetail } from '../../../../src/domain/text/shown-detail.ts';

const shown = {
  time: (ms: number) => `⟦${new Date(ms).toISOString()}⟧`,
  deadline: (ms: number) => `⟦due ${new Date(ms).toISOString()}⟧`,
};

test.each<[string, FindingCode, string, string]>([
  [
    'the date by which a record was expected is a due date',
    'never_seen',
    'expected by 2026-11-18T00:00:00.000Z; neither a webhook nor the service has mentioned it',
    'expected by ⟦due 2026-11-18T00:00:00.000Z⟧; neither a webhook nor the service has mentioned it',
  ],
  [
    'the last sight in a list is an instant',
    'absent',
    'it was last listed 2026-11-18T08:00:00.000Z; gone',
    'it was last listed ⟦2026-11-18T08:00:00.000Z⟧; gone',
  ],
  [
    'the time of two statuses is an instant',
    'tie',
    'failed and success both at 2026-11-18T08:00:00Z',
    'failed and success both at ⟦2026-11-18T08:00:00.000Z⟧',
  ],
  [
    'a time of the service that looks the same stays',
    'tie',
    ' at 2026-11-18T08:00:00Z or so and success both at 2026-11-18T08:00:00Z',
    ' at 2026-11-18T08:00:00Z or so and success both at ⟦2026-11-18T08:00:00.000Z⟧',
  ],
  [
    'times that disagree stay as the service wrote them',
    'fact_conflict',
    'paid at 2026-11-18T08:00:00Z',
    'paid at 2026-11-18T08:00:00Z',
  ],
  ['a detail without a time stays', 'absent', 'it was never listed', 'it was never listed'],
])('%s', (_case, code, detail, expected) => {
  expect(shownDetail({ code, detail }, shown)).toBe(expected);
});
