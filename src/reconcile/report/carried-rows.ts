import { hasAccount, type PeriodSet } from '../../domain/periods/period.ts';
import type { Exception, ExceptionArchive } from '../../store/exceptions.ts';
import type { RunSummary } from '../../store/runs.ts';
import { openFromBefore } from '../load/left-open.ts';
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
  /** Null: of all accounts of the run. */
  readonly set: PeriodSet | null;
}

/**
 * What a run carried from earlier days; then what else is open from before: exceptions that are not resolved, and claims that hold. They
 * are in no balance of the run. `known`: ids that the run has among its breaks.
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
  const judgedDay = judgedDayOf(run);
  const { from } = run;
  const isOf = set === null ? isOfRun(run) : ({ account }: Exception) => hasAccount(set, account);
  for await (const one of openFromBefore(archive, { environment: set?.environment ?? run.environment, from })) {
    if (seen.has(one.id) || !isOf(one)) continue;
    seen.add(one.id);
    yield { ...rowOf(one, one, judgedDay), isOfRun: false };
  }
}

/** A run of some records or of one leg says nothing of the others. */
function isOfRun({ what, account }: RunSummary): (one: Exception) => boolean {
  return (one) => what === 'all' && (account === null || one.account === account);
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
