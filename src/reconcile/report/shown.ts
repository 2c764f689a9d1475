import { TallyhookError } from '../../domain/error.ts';
import { type PeriodSet, periodOf } from '../../domain/periods/period.ts';
import type { KeptPeriod, PeriodArchive } from '../../store/periods.ts';
import type { RunArchive, RunSummary } from '../../store/runs.ts';
import type { PeriodOrder } from '../closing/facts.ts';
import { sinceClose } from '../closing/since-close.ts';
import { listedRows } from './carried-rows.ts';
import { exceptionRows } from './exception-rows.ts';
import type { PeriodSignOff, Report, ShownReport } from './model.ts';
import { monthReport, type ReportArchive, reportText, runReport, runWithBreaks } from './month.ts';

export type ShownArchive = ReportArchive &
  Pick<RunArchive, 'lastRun'> &
  Pick<PeriodArchive, 'period' | 'frozen' | 'runOfDays' | 'sinceClose'>;

/** A report with the text that is its JSON: of a closed period the frozen one, byte for byte. */
export interface PrintedReport extends ShownReport {
  readonly text: string;
}

/**
 * The report of a period: as it was frozen at its last closing, with who approved it and, `withSince`, what came since, which looks at
 * every record; while it is open, by the last run of exactly its days.
 *
 * @throws TallyhookError when no run, or no run with its breaks, is there, and when the frozen report was erased
 */
export async function periodReport(
  archive: ShownArchive,
  order: PeriodOrder,
  { withSince = true }: { readonly withSince?: boolean } = {},
): Promise<PrintedReport> {
  const { set, period, dayRule } = order;
  const kept = await archive.period(set.name, period.name);
  if (kept !== null && kept.state !== 'open') return frozenReport(archive, order, { kept, withSince });
  const run = await archive.runOfDays({ environment: set.environment, from: period.from, to: period.to, ...dayRule });
  if (run === null) throw noRun(order);
  const report = await monthReport(archive, { run: run.run, period, set, prepared: null, approved: null });
  return { report, text: reportText(report), signOff: null, ...rowsOf(archive, { run, set }, report) };
}

/** The report of one run, the last one when none is named. @throws TallyhookError when it, or its breaks, are not kept */
export async function reportOfRun(archive: ShownArchive, number: number | undefined): Promise<PrintedReport> {
  const run = number === undefined ? await archive.lastRun() : await runWithBreaks(archive, number);
  if (run === null) throw new TallyhookError('No run has been kept yet.', { kind: 'not_found', hint: RECONCILE });
  const { from, to } = run;
  const period = { from, to, name: periodOf(`${from}..${to}`)?.name ?? `${from}..${to}` };
  const report = await runReport(archive, { run: run.run, period });
  return {
    ...{ report, text: reportText(report), signOff: null },
    ...rowsOf(archive, { run, set: null }, report),
  };
}

const RECONCILE = 'Reconcile some days: tallyhook reconcile --from 2026-10-01 --to 2026-10-31';

async function frozenReport(
  archive: ShownArchive,
  { set, dayRule }: PeriodOrder,
  { kept, withSince }: { readonly kept: KeptPeriod; readonly withSince: boolean },
): Promise<PrintedReport> {
  const last = kept.closings.at(-1);
  const closing = last?.closing ?? 0;
  if (last !== undefined && last.erasedAtMs !== null) throw erased(kept.period, last.digest, last.erasedAtMs);
  const text = await archive.frozen({ set: set.name, period: kept.period, closing });
  if (text === null || last === undefined) throw new Error(`Closing ${closing} of ${kept.period} has no frozen bytes.`);
  const run: RunSummary = await runWithBreaks(archive, last.run);
  const signOff: PeriodSignOff = {
    ...{ state: kept.state, closing, digest: last.digest, head: kept.head },
    approved:
      last.approver === null || last.approvedAtMs === null
        ? null
        : { who: last.approver, at: new Date(last.approvedAtMs).toISOString() },
    sinceClose: (withSince ? await sinceClose(archive, kept, dayRule) : []).map(({ what, reference, atMs }) => ({
      ...{ what, reference, at: new Date(atMs).toISOString() },
    })),
  };
  const report = JSON.parse(text) as Report;
  return { report, text, signOff, ...rowsOf(archive, { run, set }, report) };
}

function rowsOf(
  archive: ShownArchive,
  of: { readonly run: RunSummary; readonly set: PeriodSet | null },
  report: Report,
): Pick<ShownReport, 'exceptions' | 'carried'> {
  return { exceptions: () => exceptionRows(archive, of), carried: () => listedRows(archive, of, report) };
}

function erased(period: string, digest: string, erasedAtMs: number): TallyhookError {
  const message = `The report of ${period} was erased by prune on ${new Date(erasedAtMs).toISOString().slice(0, 10)}; its sha256 was ${digest}.`;
  return new TallyhookError(message, {
    ...{
      kind: 'not_found',
      hint: `A copy of yours is the report if it has this sha256. Who signed it: tallyhook period show ${period}`,
    },
  });
}

function noRun({ period: { name, from, to } }: PeriodOrder): TallyhookError {
  return new TallyhookError(`No run of exactly the days of ${name} is kept.`, {
    ...{ kind: 'not_found', hint: `Reconcile them: tallyhook reconcile --from ${from} --to ${to}` },
  });
}
