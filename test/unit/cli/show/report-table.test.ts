import { expect, test } from 'vitest';
import { tableLines } from '../../../../cli/show/report-table.ts';
import type { ReportLeg } from '../../../../src/reconcile/report/model.ts';
import { matchRate } from '../../../../src/reconcile/report/tables/matches.ts';

const leg = (environment: ReportLeg['environment'], rate: string | null): ReportLeg => ({
  ...{ environment, leg: 'records-settlement', currency: 'NGN', matched: 120, unmatched: 3, rate },
  ...{ notDue: 7, noStatement: 0 },
});
const linesIn = (room: number) => {
  const legs = [leg('live', '97.56'), leg('test', null)];
  return tableLines(matchRate({ matchRate: { legs, byDay: [] }, environment: null }), { room, styled: String });
};

test('a table has its title, headings in capitals, texts on the left and figures on the right', () => {
  expect(linesIn(Number.POSITIVE_INFINITY)).toEqual([
    'Match rate',
    'LEG                 ENVIRONMENT  CURRENCY  MATCHED  UNMATCHED  PER CENT  NOT DUE  NO STATEMENT',
    'records-settlement  live         NGN           120          3     97.56        7             0',
    'records-settlement  test         NGN           120          3                  7             0',
  ]);
});

test('a narrow terminal leaves out the columns that may go, and keeps a row on a line', () => {
  expect(linesIn(80).slice(1, 3)).toEqual([
    'LEG                 ENVIRONMENT  CURRENCY  MATCHED  UNMATCHED  PER CENT',
    'records-settlement  live         NGN           120          3     97.56',
  ]);
});
