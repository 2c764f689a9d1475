import { expect, test } from 'vitest';
import { unparsedItem } from '../../../../src/reconcile/matching/file-items.ts';
import type { MatchRun } from '../../../../src/reconcile/matching/run.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

const run = { window: { from: '2026-10-01', until: '2026-10-31' } } as MatchRun;
const ROW = {
  row: 5,
  column: 'Deposit',
  value: '',
  reason: 'It is empty.',
  currency: null,
  fingerprint: '',
  occurrence: 1,
};
const since = (date: string | null, to: string) =>
  unparsedItem(run, { covers: { from: '2026-10-13', to } } as StatementSummary, { ...ROW, date }).firstSeen;

test.each([
  ['its own date, within the days of the file', '2026-10-14', '2026-10-20', '2026-10-14'],
  ['its own date, after the last readable line of the file', '2026-10-31', '2026-10-14', '2026-10-31'],
  ['the last day of the file, where its date lies after the period', '2026-11-02', '2026-10-14', '2026-10-14'],
  ['the last day of the file, where its date cannot be read', null, '2026-10-14', '2026-10-14'],
  ['the last day of the period, where the file goes on', null, '2026-11-14', '2026-10-31'],
])('an unreadable row is open since %s', (_case, date, to, expected) => {
  expect(since(date, to)).toBe(expected);
});
