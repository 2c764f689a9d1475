import { lackedBy } from '../../judge/uncompared.ts';
import type { Of, Report, ReportLeg, ReportMatches, ReportUncompared } from '../model.ts';
import { amount, book, count, day, name, rate, type Table, text } from '../table.ts';
import { counted, rateText } from '../words.ts';

// How much of all agrees, and what nothing was held against.

const bad = <Row extends { readonly unmatched: number }>(row: Row) => (row.unmatched > 0 ? 'bad' : undefined);

export function matchRate({ matchRate, environment: only }: Of<'matchRate'>): Table<ReportLeg> {
  return {
    ...{ name: 'Match rate', title: 'Match rate', csv: 'match_rate', csvLine: 'detail' },
    columns: [
      name('Leg', (row) => row.leg, { csv: 'item', width: 24 }),
      ...book<ReportLeg>(only, 'currency'),
      count('Matched', (row) => row.matched, { csv: 'count', line: 'matched' }),
      count('Unmatched', (row) => row.unmatched, { csv: 'open', line: 'matched', mark: bad }),
      rate('Per cent', (row) => row.rate, { csv: 'amount', line: 'matched' }),
      count('Not due', (row) => row.notDue, { csv: 'count', line: 'not_due', leaveOut: 1 }),
      count('No statement', (row) => row.noStatement, { csv: 'count', line: 'no_statement', leaveOut: 1 }),
    ],
    rows: matchRate.legs,
  };
}

type OfDay = ReportMatches['byDay'][number];

export function matchRateByDay({ matchRate, environment: only }: Report): Table<OfDay> {
  return {
    ...{ name: 'Match rate by day', title: 'Match rate by day', csv: 'match_rate_by_day' },
    columns: [
      ...book<OfDay>(only),
      text('Leg', (row) => row.leg, { as: 'account', csv: 'item', width: 24 }),
      day('Day', (row) => row.date, { as: 'name', csv: 'date' }),
      count('Matched', (row) => row.matched, { csv: 'count' }),
      count('Unmatched', (row) => row.unmatched, { csv: 'open', mark: bad }),
      rate('Per cent', (row) => row.rate, { csv: 'amount' }),
    ],
    ...{ rows: matchRate.byDay, parts: 'page', isDaily: true },
    chart: (rows) => ({
      as: 'rates',
      days: rows.map(({ date, rate, matched, unmatched }) => ({
        ...{ day: date, value: rate },
        shown: `${rateText(rate)}, ${counted(matched)} matched, ${counted(unmatched)} not`,
      })),
    }),
  };
}

/** A period may look clean because nothing was there to hold it against. */
export function uncompared({ uncompared, environment: only }: Report): Table<ReportUncompared> {
  return {
    ...{ name: 'Compared with nothing', title: 'Compared with nothing', csv: 'compared_with_nothing' },
    columns: [
      ...book<ReportUncompared>(only, 'account', 'currency'),
      name('Lines of', (row) => row.type, { csv: 'item', width: 16, words: ({ type }) => type.replaceAll('_', ' ') }),
      count('Lines', (row) => row.lines, { csv: 'count', mark: () => 'bad' }),
      amount('Moved', (row) => row.moved, { csv: 'amount' }),
      text('Missing', ({ lacks }) => (lacks === null ? 'no rule' : `no ${lacks} statement`), {
        ...{ csv: 'detail', width: 24, words: lackedBy },
      }),
    ],
    rows: uncompared,
    note: () =>
      'They are no breaks. Where a statement is missing, import one of that kind, and reconcile again; look yourself at what no rule compares.',
  };
}
