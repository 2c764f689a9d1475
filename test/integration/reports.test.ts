import { beforeAll, expect, test } from 'vitest';
import { REPORT_FORMATS } from '../../src/reconcile/report/render.ts';
import { cutFiles, type FilePlan } from '../support/month/files.ts';
import { importAll } from '../support/month/import.ts';
import { TEST_SET, withOctober, withoutFiles } from '../support/month/kept-reports.ts';
import { makeMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';
import { copyOf } from '../support/month/variants.ts';
import { Shop } from '../support/shop/shop.ts';

/* The month of a generator with every fault on records of its own: its report, in every form and however it was brought. */

const month = makeMonth({ seed: 78, clean: 12, each: 1, fileFaults: false });
const WHOLE = cutFiles(month.book.lines, [31, 40]);
let filled: Shop;

beforeAll(async () => {
  filled = await Shop.of(month.book.records.map(toldOf));
});

async function broughtBy(files: readonly FilePlan[]): Promise<string> {
  const shop = copyOf(filled);
  await importAll(shop, files);
  return shop.database;
}

const formsOf = (database: string, isWithFiles: boolean) =>
  withOctober(database, TEST_SET, async (shown, render) => {
    const one = isWithFiles ? shown : withoutFiles(shown);
    const forms: Record<string, string> = {};
    for (const format of REPORT_FORMATS) forms[format] = (await render(one, format)).toString('latin1');
    // A page names the evidence: a row of a file, which is another row in another file.
    if (!isWithFiles) forms.html = forms.html?.replace(/row \d+ of [\w.-]+/g, 'a row') ?? '';
    return forms;
  });

test('files imported in another order give the same bytes in every form; files cut in two, the same but for the files', async () => {
  const [one, other] = [await broughtBy(WHOLE), await broughtBy(WHOLE.toReversed())];
  const [forms, reversed] = [await formsOf(one, true), await formsOf(other, true)];
  for (const format of REPORT_FORMATS) {
    expect.soft(reversed[format] === forms[format], format).toBe(true);
  }
  const cut = await formsOf(await broughtBy(cutFiles(month.book.lines, [13, 31, 40])), false);
  const wanted = await formsOf(one, false);
  for (const format of REPORT_FORMATS) expect.soft(cut[format] === wanted[format], format).toBe(true);
});

test('what the report adds up is what the run found: explained and unexplained make every difference, sums make the totals', async () => {
  await withOctober(await broughtBy(WHOLE), TEST_SET, async ({ report, exceptions }) => {
    const cents = (amount: string | null | undefined) => Math.round(Number(amount ?? '0') * 100);
    const sum = (amounts: readonly (string | null)[]) => amounts.reduce((total, one) => total + cents(one), 0);
    expect(report.proof.length).toBeGreaterThan(3);
    for (const { rows, explained, unexplained } of report.proof) {
      const closing = rows.find(({ name }) => name === 'closing');
      expect(sum([...explained.map(({ effect }) => effect), unexplained])).toBe(cents(closing?.difference));
      expect(sum(rows.slice(0, -1).map(({ theirs }) => theirs))).toBe(cents(closing?.theirs));
    }
    const rows = await Array.fromAsync(exceptions());
    expect(rows.length).toBeGreaterThan(20);
    for (const total of report.controlTotals) {
      const own = rows.filter(({ currency }) => currency === total.currency);
      expect([total.exceptions, cents(total.variance), cents(total.effect)]).toEqual([
        own.length,
        sum(own.map(({ variance }) => variance)),
        sum(own.map(({ effect }) => effect)),
      ]);
      const lines = month.book.lines.filter(
        ({ account, day }) =>
          account.environment === 'test' && account.currency === total.currency && day <= '2026-10-31',
      );
      const proofs = report.proof.filter(({ currency }) => currency === total.currency);
      const explained = proofs.flatMap((one) => one.explained.filter(({ by }) => by === 'exceptions'));
      expect(cents(total.effect)).toBe(sum(explained.map(({ effect }) => effect)));
      if (total.currency !== null) expect(total.lines).toBe(lines.length);
    }
    for (const { matched, unmatched, rate } of report.matchRate.legs) {
      if (rate !== null) expect(rate).toBe((Math.floor((matched * 10_000) / (matched + unmatched)) / 100).toFixed(2));
    }
    const last = report.inTransit.byDay.filter(({ date, currency }) => date === '2026-10-31' && currency === 'NGN');
    const byAge = report.inTransit.byAge.filter(({ currency }) => currency === 'NGN');
    expect(sum(last.map(({ amount }) => amount))).toBe(sum(byAge.map(({ amount }) => amount)));
  });
});
