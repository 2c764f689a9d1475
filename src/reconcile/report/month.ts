import { TallyhookError } from '../../domain/error.ts';
import type { DayRange, PeriodSet } from '../../domain/periods/period.ts';
import { printableJson } from '../../domain/text/printable.ts';
import type { PeriodArchive } from '../../store/periods.ts';
import type { RunArchive, RunSummary } from '../../store/runs.ts';
import { carriedItems } from './carried-items.ts';
import { type CarriedRowArchive, carriedRows } from './carried-rows.ts';
import { closedWith, exceptionRows } from './exception-rows.ts';
import { exceptionSums } from './exception-sums.ts';
import type { Figures } from './figures.ts';
import type { Report, ReportKind, Signature } from './model.ts';
import { movesBalance } from './proven.ts';
import { reportOf } from './report-of.ts';

export type ReportArchive = CarriedRowArchive &
  Pick<RunArchive, 'run' | 'countBreaks'> &
  Pick<PeriodArchive, 'periods'>;

/** Which run is reported, as which days and accounts. */
export interface ReportOrder {
  readonly run: number;
  readonly period: DayRange & { readonly name: string };
  /** Null: all that the run found. */
  readonly set: PeriodSet | null;
  /** Who closes the period with it; null: it stays open. */
  readonly prepared: Signature | null;
  readonly approved: Signature | null;
}

/** Reports the days of a period by one kept run. @throws TallyhookError when the run, or its breaks, are not kept any more */
export function monthReport(archive: ReportArchive, order: ReportOrder): Promise<Report> {
  return keptReport(archive, order, /^\d{4}-\d{2}$/.test(order.period.name) ? 'month' : 'period');
}

/** Reports one kept run as it found things. @throws TallyhookError when the run, or its breaks, are not kept any more */
export function runReport(archive: ReportArchive, order: Pick<ReportOrder, 'run' | 'period'>): Promise<Report> {
  return keptReport(archive, { ...order, set: null, prepared: null, approved: null }, 'run');
}

/** The text of a report as JSON, whose bytes a closing freezes: two spaces, a line end at the end. */
export function reportText(report: Report): string {
  return `${printableJson(JSON.stringify(report, null, 2))}\n`;
}

async function keptReport(archive: ReportArchive, order: ReportOrder, report: ReportKind): Promise<Report> {
  const run = await runWithBreaks(archive, order.run);
  const figures = JSON.parse(run.report) as Figures;
  const sums = exceptionSums(movesBalance(figures.proof));
  const { period, set, prepared, approved } = order;
  const known = new Set<string>();
  for await (const row of exceptionRows(archive, { run, set })) {
    sums.add(prepared === null ? row : closedWith(period.name, row));
    if (row.date < run.from) known.add(row.id);
  }
  const periods = set === null ? [] : await archive.periods({ set: set.name });
  const carried = carriedItems({ movesBalance: movesBalance(figures.proof), periods });
  for await (const row of carriedRows(archive, { run, set, known })) carried.add(row);
  return reportOf({
    ...{ report, period: period.name, run, set, prepared, approved, figures },
    exceptions: sums.figures(),
    ...{ carried: carried.all(), carriedTotals: carried.totals() },
  });
}

/** A run whose breaks are all there: of older runs only figures are kept. @throws TallyhookError */
export async function runWithBreaks(archive: ReportArchive, number: number): Promise<RunSummary> {
  const run = await archive.run(number);
  if (run === null) {
    const hint = 'The last run: tallyhook report run';
    throw new TallyhookError(`There is no run ${number}.`, { kind: 'not_found', hint });
  }
  const kept = await archive.countBreaks({ run: number });
  if (kept === null || kept >= run.breaks) return run;
  const hint = `Reconcile its days again: tallyhook reconcile --from ${run.from} --to ${run.to}`;
  throw new TallyhookError(`Of run ${number} only the figures are kept; its breaks gave way to those of later runs.`, {
    ...{ kind: 'not_found', hint },
  });
}
