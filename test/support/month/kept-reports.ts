import type { PeriodSet } from '../../../src/domain/periods/period.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { reconcileAndKeep } from '../../../src/reconcile/keep/keep-run.ts';
import { type ReportFormat, renderReport } from '../../../src/reconcile/report/render.ts';
import { type PrintedReport, periodReport } from '../../../src/reconcile/report/shown.ts';
import { loadRules } from '../../../src/reconcile/rules/load.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { openStore } from '../../../src/store/open.ts';
import { FROM, TO } from './days.ts';

/* Reports of October as they are rendered, by a run that knows everything and has one as-at time in every test. */

const AS_AT_MS = Date.parse('2099-01-01T00:00:00Z');
const DAY_RULE = { zone: 'Africa/Lagos', cutOffMinutes: 1_440 };
export const LIVE_SET: PeriodSet = { name: 'live', environment: 'live', accounts: null };
export const TEST_SET: PeriodSet = { name: 'test', environment: 'test', accounts: null };

/** Reconciles October, keeps the run, and hands its report over while the database is open. */
export async function withOctober<Result>(
  database: string,
  set: PeriodSet,
  work: (
    shown: PrintedReport,
    render: (shown: PrintedReport, format: ReportFormat) => Promise<Buffer>,
  ) => Promise<Result>,
): Promise<Result> {
  const store = openStore(database);
  const [archive, operations] = [await store.archive(), await store.operations()];
  try {
    await reconcileAndKeep(archive, operations, {
      ...{ kinds: RECORD_KINDS, from: FROM, to: TO, asAtMs: AS_AT_MS, dayRule: DAY_RULE },
      ...{ withoutEndpoint: [], rules: await loadRules(), begin: null },
    });
    const shown = await octoberOf(archive, set);
    return await work(shown, (one, format) => renderReport(archive, one, format));
  } finally {
    await operations.close();
    await archive.close();
  }
}

function octoberOf(archive: Archive, set: PeriodSet): Promise<PrintedReport> {
  return periodReport(archive, { set, period: { name: '2026-10', from: FROM, to: TO }, dayRule: DAY_RULE });
}

/** The same report without the names of files and rows, which are of the files that brought the lines. */
export function withoutFiles(shown: PrintedReport): PrintedReport {
  const report = { ...shown.report, digests: { ...shown.report.digests, files: [] } };
  return {
    ...{ ...shown, report, text: JSON.stringify(report) },
    async *exceptions() {
      for await (const one of shown.exceptions()) yield { ...one, line: null };
    },
  };
}
