import { describe, expect, test } from 'vitest';
import { carriedItems } from '../../../../src/reconcile/report/carried-items.ts';
import type { CarriedRow } from '../../../../src/reconcile/report/carried-rows.ts';
import { reportCsv } from '../../../../src/reconcile/report/csv.ts';
import { htmlPage } from '../../../../src/reconcile/report/html/page.ts';
import type { Report, ShownReport } from '../../../../src/reconcile/report/model.ts';
import { MOST_CARRIED } from '../../../../src/reconcile/report/model-carried.ts';
import { ofCurrency } from '../../../../src/reconcile/report/of-currency.ts';
import { movesBalance } from '../../../../src/reconcile/report/proven.ts';
import { reportTables } from '../../../../src/reconcile/report/tables/chapters.ts';
import { FILLED_EXCEPTIONS, FILLED_REPORT, FILLED_SHOWN } from '../../../support/filled-report.ts';
import { readHtml, tableOf } from '../../../support/html.ts';
import { TOLD_EVIDENCE } from '../../../support/page-evidence.ts';

/* What is from before a month: fees that are claimed, and what else a run carried or the queue holds. */

const [, charge] = FILLED_EXCEPTIONS;
const claimed = { ...charge, date: '2026-09-12', isOfRun: true } as CarriedRow;
const closed = [{ period: '2026-09-01..2026-09-15', from: '2026-09-01', to: '2026-09-15' }];

function gathered(...rows: readonly Partial<CarriedRow>[]) {
  const items = carriedItems({ movesBalance: movesBalance(FILLED_REPORT.proof), periods: closed });
  for (const [at, row] of rows.entries()) items.add({ ...claimed, id: `x-${at}`, ...row });
  return { ...items.all(), totals: items.totals() };
}

describe('what is from before', () => {
  test('is of the closed period of its date, else of its month', () => {
    const { items } = gathered({}, { date: '2026-09-16' });
    expect(items.map(({ date, since }) => [date, since])).toEqual([
      ['2026-09-12', '2026-09-01..2026-09-15'],
      ['2026-09-16', '2026-09'],
    ]);
  });

  test.each<[name: string, row: Partial<CarriedRow>, counts: readonly (readonly [number, string])[]]>([
    ['a claim that holds is still owed', {}, [[1, '15.00']]],
    ['one that waits for its second person is not claimed yet', { needsApproval: true }, []],
    ['one that a settlement says again is claimed once, by the wallet', { sameAs: 'x-9' }, []],
    ['one that is open again is no claim', { status: 'reopened', resolution: null }, []],
    [
      'a payment that the statement shows twice is owed by its effect',
      { code: 'duplicate_external', variance: null, effect: '-70.00' },
      [[1, '70.00']],
    ],
  ])('%s', (_, row, counts) => {
    expect(gathered(row).claims.map(({ claims, amount }) => [claims, amount])).toEqual(counts);
  });

  test('counts what is not due yet as an item of the balance, and as no exception', () => {
    const { items, byCode, byAge, totals } = gathered({ code: 'timing', status: 'waiting', resolution: null });
    expect([items.length, byCode, byAge]).toEqual([1, [], []]);
    expect(totals).toMatchObject([{ count: 1, effect: '-15.00' }]);
  });

  test('is in the proof only where the run carried it, in an account with a balance', () => {
    const { items, byCode, totals } = gathered({}, { isOfRun: false }, { account: 'settled' });
    expect(items.map(({ isInProof }) => isInProof).sort()).toEqual([false, false, true]);
    expect(byCode).toMatchObject([{ count: 3, effect: '-15.00', effectOutside: '-30.00' }]);
    expect(totals).toMatchObject([{ count: 3, effect: '-15.00' }]);
  });

  test('stands apart where a settlement repeats it', () => {
    const { byCode, repeated } = gathered({}, { account: 'settled', sameAs: 'x-0' });
    expect([byCode, repeated]).toMatchObject([[{ count: 1 }], [{ count: 1, effectOutside: '-15.00' }]]);
  });

  test('is listed up to a limit, with how many more there are; the sums have all', () => {
    const { totals, ...carried } = gathered(...Array.from({ length: MOST_CARRIED + 2 }, () => ({})));
    expect([carried.items.length, carried.more]).toEqual([MOST_CARRIED, 2]);
    expect(carried.byCode).toMatchObject([{ count: MOST_CARRIED + 2 }]);
    expect(totals).toMatchObject([{ count: MOST_CARRIED + 2 }]);
    const controlTotals = FILLED_REPORT.controlTotals.map((one) => ({ ...one, carried: MOST_CARRIED + 2 }));
    const tables = reportTables({ ...FILLED_REPORT, carried, controlTotals }, FILLED_SHOWN.signOff);
    const left = tables.find(({ name }) => name === 'More from before');
    expect(left?.rows[0]).toMatchObject({ currency: 'NGN', count: 2 });
  });

  test('says of each currency how many are not listed, also in a paper of that currency alone', async () => {
    const { totals: _, ...carried } = { ...gathered({}), more: 9 };
    const controlTotals = FILLED_REPORT.controlTotals.map((one, at) => ({ ...one, carried: [3, 7][at] ?? 0 }));
    const report = { ...FILLED_REPORT, carried, controlTotals };
    const more = (of: Report) => {
      const lines = reportCsv(of, null).split('\r\n');
      return lines.filter((line) => line.startsWith('carried_more,')).map((line) => line.replace(/,+$/, ''));
    };
    const [naira, dollars] = [
      'carried_more,live,,NGN,,tallyhook exceptions list,,2',
      'carried_more,live,,USD,,tallyhook exceptions list,,7',
    ];
    expect(more(report)).toEqual([naira, dollars]);
    const of = ['NGN', 'USD'].map((currency) => ofCurrency({ ...FILLED_SHOWN, report, text: '' }, currency));
    expect(of.map((part) => [part.report.carried.more, ...more(part.report)])).toEqual([
      [2, naira],
      [7, dollars],
    ]);
    const page = await Array.fromAsync(htmlPage(of[1] as ShownReport, TOLD_EVIDENCE));
    const [, ...left] = tableOf(readHtml(page.join('')), 'More from before, not listed');
    expect(left).toEqual([['USD', '7']]);
  });

  test('has its values and its effect in the CSV, that outside the proof in a column of its own', () => {
    const { totals: _, ...carried } = gathered(
      {},
      { id: 'x-out', account: 'settled', ours: 'failed', theirs: 'success' },
    );
    const lines = reportCsv({ ...FILLED_REPORT, carried }, null).split('\r\n');
    const [inProof = '', outside = ''] = lines
      .filter((line) => line.startsWith('carried,'))
      .sort()
      .reverse();
    expect(inProof).toMatch(/,12\.50,27\.50,,,-15\.00,,,C-1031,2026-09-01\.\.2026-09-15,resolved,claim,/);
    expect(outside).toMatch(/x-out,2026-09-12,,,failed,success,,,,,-15\.00,C-1031,/);
  });
});
