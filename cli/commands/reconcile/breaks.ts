import type { Item } from '../../../src/domain/reconciling/break.ts';
import { RECORD_KINDS } from '../../../src/domain/records/lifecycle.ts';
import { progressOf } from '../../../src/reconcile/exceptions/progress.ts';
import { breakOf, type ReconBreak } from '../../../src/reconcile/recon-break.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import type { ExceptionArchive, ExceptionProgress } from '../../../src/store/exceptions.ts';
import type { ReconciliationArchive, RecordEvidence } from '../../../src/store/reconciliation.ts';

/** Breaks in memory at a time, with their evidence: a list may have a million. */
const AT_ONCE = 500;

/** A break, and how it stands in the queue; null: it is not in there. */
export interface ListedBreak extends ReconBreak {
  readonly exception: ExceptionProgress | null;
}

export type Breaks = (items: readonly Item[]) => AsyncGenerator<readonly ListedBreak[], void, undefined>;

/** Makes breaks of items, some at a time, each with its evidence and its exception. */
export async function* breaksOf(
  archive: ReconciliationArchive & Pick<ExceptionArchive, 'exceptionProgress'>,
  { span }: Reconciliation,
  items: readonly Item[],
): AsyncGenerator<readonly ListedBreak[], void, undefined> {
  for (let first = 0; first < items.length; first += AT_ONCE) {
    const some = items.slice(first, first + AT_ONCE);
    const evidence = await evidenceOf(archive, some, span.period.asAtMs);
    const breaks = some.map((item) => breakOf(item, span.judgedDay, evidence.get(nameOf(item)) ?? null));
    const ids = breaks.map(({ id }) => id);
    const progress = await progressOf(archive, ids);
    yield breaks.map((one) => ({ ...one, exception: progress.get(one.id) ?? null }));
  }
}

async function evidenceOf(archive: ReconciliationArchive, items: readonly Item[], asAtMs: number) {
  const found = new Map<string, RecordEvidence>();
  for (const kind of RECORD_KINDS) {
    const ids = items.flatMap((item) => (item.kind === kind && item.recordId !== null ? [item.recordId] : []));
    if (ids.length === 0) continue;
    for (const one of await archive.evidence(kind, ids, asAtMs)) found.set(`${kind} ${one.recordId}`, one);
  }
  return found;
}

function nameOf({ kind, recordId }: Item): string {
  return `${kind} ${recordId}`;
}
