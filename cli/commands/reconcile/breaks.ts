import { RECORD_KINDS } from '../../../src/domain/lifecycle.ts';
import type { Item } from '../../../src/reconcile/item.ts';
import { breakOf, type ReconBreak } from '../../../src/reconcile/recon-break.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import type { ReconciliationArchive, RecordEvidence } from '../../../src/store/reconciliation.ts';

/** Breaks in memory at a time, with their evidence: a list may have a million. */
const AT_ONCE = 500;

export type Breaks = (items: readonly Item[]) => AsyncGenerator<readonly ReconBreak[], void, undefined>;

/** Makes breaks of items, some at a time, each with its evidence. */
export async function* breaksOf(
  archive: ReconciliationArchive,
  { span }: Reconciliation,
  items: readonly Item[],
): AsyncGenerator<readonly ReconBreak[], void, undefined> {
  for (let first = 0; first < items.length; first += AT_ONCE) {
    const some = items.slice(first, first + AT_ONCE);
    const evidence = await evidenceOf(archive, some, span.period.asAtMs);
    yield some.map((item) => breakOf(item, span.judgedDay, evidence.get(nameOf(item)) ?? null));
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
