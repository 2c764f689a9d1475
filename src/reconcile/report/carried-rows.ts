import { hasAccount, type PeriodSet } from '../../domain/periods/period.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { Cursor } from '../../store/cursor.ts';
import type { ExceptionArchive, ExceptionFilter } from '../../store/exceptions.ts';
import type { RunSummary } from '../../store/runs.ts';
import { type ExceptionRowArchive, exceptionRows, judgedDayOf, rowOf } from './exception-rows.ts';
import type { Report, ReportedException } from './model.ts';

export type CarriedRowArchive = ExceptionRowArchive & Pick<ExceptionArchive, 'exceptions' | 'exception'>;

/** What is open from before a run. */
export interface CarriedRow extends ReportedException {
  /** Whether the run found it: then its effect is part of the balance proof of its account. */
  readonly isOfRun: boolean;
}

interface CarriedOrder {
  readonly run: RunSummary;
  /** Null: only what the run itself found. */
  readonly set: PeriodSet | null;
}

/** Rows read at a time. */
const PAGE = 500;

/**
 * What a run carried from earlier days; then, of a set, what else is open from before: exceptions that are not resolved, and claims
 * that hold. A run does not look at them where an account has no balance of its own. `known`: ids that the run has among its breaks.
 */
export async function* carriedRows(
  archive: CarriedRowArchive,
  { run, set, known }: CarriedOrder & { readonly known: ReadonlySet<string> },
): AsyncGenerator<CarriedRow, void, undefined> {
  const seen = new Set(known);
  for await (const row of exceptionRows(archive, { run, set, carried: true })) {
    seen.add(row.id);
    yield { ...row, isOfRun: true };
  }
  if (set === null) return;
  const before = { environment: set.environment, to: dayPlus(run.from, -1) };
  const judgedDay = judgedDayOf(run);
  for (const filter of [
    { ...before, unresolved: true },
    { ...before, statuses: ['resolved'], resolutions: ['claim'] },
  ] as const satisfies readonly ExceptionFilter[]) {
    for (let after: Cursor | null = null; ; ) {
      const page = await archive.exceptions(filter, { after, limit: PAGE });
      for (const one of page.rows) {
        if (seen.has(one.id) || !hasAccount(set, one.account)) continue;
        seen.add(one.id);
        yield { ...rowOf(one, one, judgedDay), isOfRun: false };
      }
      if (page.next === null) break;
      after = page.next;
    }
  }
}

/** The rows behind the items that a report lists as carried, as far as they are still kept. */
export async function* listedRows(
  archive: CarriedRowArchive,
  { run, set }: CarriedOrder,
  { carried: { items } }: Report,
): AsyncGenerator<ReportedException, void, undefined> {
  const listed = new Set(items.map(({ id }) => id));
  const found = new Map<string, ReportedException>();
  for await (const row of exceptionRows(archive, { run, set, carried: true }))
    if (listed.has(row.id)) found.set(row.id, row);
  const judgedDay = judgedDayOf(run);
  for (const { id } of items) {
    const row = found.get(id);
    const exception = row === undefined ? await archive.exception(id) : null;
    if (row !== undefined) yield row;
    else if (exception !== null) yield rowOf(exception, exception, judgedDay);
  }
}
