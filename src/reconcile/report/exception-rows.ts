import { wholeNextStep } from '../../domain/exceptions/same-difference.ts';
import { lateCloseText } from '../../domain/periods/late-close.ts';
import { hasAccount, type PeriodSet } from '../../domain/periods/period.ts';
import { isBreakCode } from '../../domain/reconciling/break.ts';
import { businessDays, daysBetween } from '../../domain/reconciling/business-day.ts';
import { isCode } from '../../domain/reconciling/codes.ts';
import { ageBucket } from '../../domain/records/settling-age.ts';
import type { ExceptionArchive, ExceptionProgress } from '../../store/exceptions.ts';
import type { KeptBreak, RunArchive, RunSummary } from '../../store/runs.ts';
import { DAY_MS } from '../../time/clock.ts';
import type { ReportedException } from './model.ts';

export type ExceptionRowArchive = Pick<RunArchive, 'breaks'> & Pick<ExceptionArchive, 'exceptionProgress'>;

/** Rows read at a time. */
const PAGE = 500;

/** The breaks that a run kept, those of its days or those that it carried from earlier ones, each with how its exception stands now, in the order of the run. */
export async function* exceptionRows(
  archive: ExceptionRowArchive,
  {
    run,
    set,
    carried = false,
  }: { readonly run: RunSummary; readonly set: PeriodSet | null; readonly carried?: boolean },
): AsyncGenerator<ReportedException, void, undefined> {
  const judgedDay = judgedDayOf(run);
  for (let afterId: number | undefined; ; ) {
    const page = { order: 'oldest' as const, limit: PAGE, ...(afterId !== undefined && { afterId }) };
    const found = await archive.breaks({ run: run.run, carried }, page);
    const progress = await archive.exceptionProgress(found.map(({ id }) => id));
    const byId = new Map(progress.map((one) => [one.id, one]));
    for (const one of found) {
      const isOfSet = set === null || (one.environment === set.environment && hasAccount(set, one.account));
      if (isOfSet) yield rowOf(one, byId.get(one.id) ?? null, judgedDay);
    }
    afterId = found.at(-1)?.place;
    if (found.length < PAGE) return;
  }
}

/** A row as the close of the period leaves it: what came late is closed with it. */
export function closedWith(period: string, row: ReportedException): ReportedException {
  if (row.code !== 'late_arrival' || row.status === 'closed') return row;
  return { ...row, status: 'closed', comment: lateCloseText(period) };
}

/** Ages are judged at the end of the last day, or earlier where no more was known. */
export function judgedDayOf({ zone, cutOffMinutes, asAtMs, to }: RunSummary): string {
  const asAtDay = businessDays({ zone, cutOffMinutes }).dayOf(asAtMs);
  return asAtDay < to ? asAtDay : to;
}

/** A paper does not name statements by their numbers, which depend on the order of imports. */
const LINE_NUMBERS = /--line \d+:\d+/g;

export function rowOf(one: KeptBreak, progress: ExceptionProgress | null, judgedDay: string): ReportedException {
  const ageDays = Math.max(0, daysBetween(one.firstSeen, judgedDay));
  const { id, sub, side, kind, environment, account, leg, reference, date, currency, ours, theirs } = one;
  const sameAs = progress?.sameAs ?? null;
  return {
    sameAs,
    ...{ id, code: codeOf(one.code), sub, what: one.reason, side, kind, environment, account, leg, reference },
    line: one.line === null ? null : { statement: one.line.statement, row: one.line.row },
    ...{ date, currency, ours, theirs, variance: one.variance, effect: one.effect },
    ...{
      ageDays,
      age: ageBucket(ageDays * DAY_MS),
      nextStep: wholeNextStep({ ...one, sameAs }).replace(LINE_NUMBERS, '--line STATEMENT:ROW'),
    },
    status: progress?.status ?? (isBreakCode(one.code) ? 'open' : 'waiting'),
    resolution: progress?.resolution ?? null,
    reasonCode: progress?.reasonCode ?? null,
    assignee: progress?.assignee ?? null,
    comment: progress?.comment ?? null,
    followUp: progress?.followUp ?? null,
    needsApproval: progress?.approval?.state === 'needed',
  };
}

/** What is carried may still wait. */
function codeOf(text: string): ReportedException['code'] {
  if (!isCode(text)) throw new Error(`No code of a break: ${text}`);
  return text;
}
