import { moreCarried } from './carried-more.ts';
import type { Report } from './model.ts';
import { reportText } from './month.ts';
import type { PrintedReport } from './shown.ts';

interface Named {
  readonly currency: string | null;
}

/** The currencies of a report, in order; null: what has none. */
export function currenciesOf({ controlTotals }: Report): readonly (string | null)[] {
  return [...new Set(controlTotals.map(({ currency }) => currency))];
}

/** The part of a report that is of one currency. What is no money, such as match rates by day and files, stays in each. */
export function ofCurrency(shown: PrintedReport, currency: string | null): PrintedReport {
  const own = <Row extends Named>(rows: readonly Row[]) => rows.filter((row) => row.currency === currency);
  const { report } = shown;
  const part: Report = {
    ...report,
    proof: own(report.proof),
    inTransit: {
      byAge: own(report.inTransit.byAge),
      byDay: own(report.inTransit.byDay),
      batches: own(report.inTransit.batches),
    },
    reserved: own(report.reserved),
    fees: {
      charged: own(report.fees.charged),
      audit: report.fees.audit === null ? null : own(report.fees.audit),
      claimed: own(report.fees.claimed),
    },
    exceptions: {
      byCode: own(report.exceptions.byCode),
      byAge: own(report.exceptions.byAge),
      byResolution: own(report.exceptions.byResolution),
      repeated: own(report.exceptions.repeated),
    },
    carried: {
      byCode: own(report.carried.byCode),
      byAge: own(report.carried.byAge),
      repeated: own(report.carried.repeated),
      claims: own(report.carried.claims),
      items: own(report.carried.items),
      more: own(moreCarried(report)).reduce((sum, { count }) => sum + count, 0),
    },
    waiting: own(report.waiting),
    atRisk: own(report.atRisk),
    matchRate: { legs: own(report.matchRate.legs), byDay: report.matchRate.byDay },
    uncompared: own(report.uncompared),
    late: own(report.late),
    controlTotals: own(report.controlTotals),
  };
  return {
    ...{ ...shown, report: part, text: reportText(part) },
    async *exceptions() {
      for await (const row of shown.exceptions()) if (row.currency === currency) yield row;
    },
    async *carried() {
      for await (const row of shown.carried()) if (row.currency === currency) yield row;
    },
  };
}
