import { moreCarried } from './carried-more.ts';
import type { Report } from './model.ts';
import { reportText } from './month.ts';
import { rowsOf } from './rows-of.ts';
import type { PrintedReport } from './shown.ts';

/** The currencies of a report, in order; null: what has none. */
export function currenciesOf({ controlTotals }: Report): readonly (string | null)[] {
  return [...new Set(controlTotals.map(({ currency }) => currency))];
}

/** The part of a report that is of one currency. What is no money, such as match rates by day and files, stays in each. */
export function ofCurrency(shown: PrintedReport, currency: string | null): PrintedReport {
  const isOwn = (row: { readonly currency?: unknown }) => row.currency === currency;
  const { report } = shown;
  const own = rowsOf(report, 'currency', isOwn);
  const more = moreCarried(report)
    .filter(isOwn)
    .reduce((sum, { count }) => sum + count, 0);
  const part = { ...own, carried: { ...own.carried, more } };
  return {
    ...{ ...shown, report: part, text: reportText(part) },
    async *exceptions() {
      for await (const row of shown.exceptions()) if (isOwn(row)) yield row;
    },
    async *carried() {
      for await (const row of shown.carried()) if (isOwn(row)) yield row;
    },
  };
}
