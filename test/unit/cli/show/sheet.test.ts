import { expect, test } from 'vitest';
import { remediesOf } from '../../../../cli/show/sheet.ts';
import type { RowRefusal } from '../../../../src/reconcile/sheet/judge/refusal.ts';

const remedies = (...reasons: RowRefusal[]) =>
  remediesOf(
    reasons.map((reason) => ({ reason })),
    'q.csv.refused.csv',
  );
const AGAIN = 'tallyhook exceptions export --out FILE';

test('rows whose cells are wrong are mended in the file of refused rows', () => {
  expect(remedies('locked', 'formula', 'locked')).toEqual([
    'Mend 3 rows (locked, formula) in q.csv.refused.csv, then: tallyhook exceptions import q.csv.refused.csv',
  ]);
});

test('rows that are older than their exception, or that its state forbids, are exported again', () => {
  expect(remedies('stale')).toEqual([
    `Not to be mended in q.csv.refused.csv: 1 row (stale). Export again, and fill the new file: ${AGAIN}`,
  ]);
  expect(remedies('period_closed', 'missing', 'unknown_id', 'stale', 'state')).toEqual([
    'Mend 1 row (missing) in q.csv.refused.csv, then: tallyhook exceptions import q.csv.refused.csv',
    `Not to be mended in q.csv.refused.csv: 2 rows (unknown_id, stale). Export again, and fill the new file: ${AGAIN}`,
    `Not to be mended in q.csv.refused.csv: 2 rows (period_closed, state). Do first what WHY says, then export again: ${AGAIN}`,
  ]);
});
