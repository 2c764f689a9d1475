import type { RecordKind } from '../../../src/domain/lifecycle.ts';
import { breakOf, type Item, type ReconBreak } from '../../../src/reconcile/item.ts';
import type { Reconciliation } from '../../../src/reconcile/reconcile.ts';
import type { ReconciliationArchive, RecordEvidence } from '../../../src/store/reconciliation.ts';
import { bold, print, terminalWidth } from '../../show/output.ts';
import type { Sink } from '../../show/sink.ts';
import { writeCsv } from './csv.ts';
import { writeJson } from './json.ts';
import { screenLines } from './screen.ts';

export interface Written {
  readonly archive: ReconciliationArchive;
  readonly result: Reconciliation;
  readonly format: 'table' | 'json' | 'csv';
  readonly sink: Sink;
}

/** Writes a reconciliation in its format. */
export async function writeReconciliation({ archive, result, format, sink }: Written): Promise<void> {
  const breaks = (items: readonly Item[]) => breaksOf(archive, result, items);
  if (format === 'json') return writeJson(result, breaks, sink);
  if (format === 'csv') return writeCsv(result, breaks, sink);
  if (sink.isStdout) for (const line of screenLines(result, { room: terminalWidth(), styled: bold })) print(line);
  else
    for (const line of screenLines(result, { room: Number.POSITIVE_INFINITY, styled: String }))
      await sink.write(`${line}\n`);
}

/** Breaks in memory at a time, with their evidence: a list may have a million. */
const AT_ONCE = 500;

export type Breaks = (items: readonly Item[]) => AsyncGenerator<readonly ReconBreak[], void, undefined>;

async function* breaksOf(
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
  for (const kind of new Set(items.map((item) => item.kind))) {
    const ids = items.flatMap((item) => (item.kind === kind && item.recordId !== null ? [item.recordId] : []));
    for (const one of await archive.evidence(kind, ids, asAtMs)) found.set(`${kind} ${one.recordId}`, one);
  }
  return found;
}

function nameOf({ kind, recordId }: { readonly kind: RecordKind; readonly recordId: number | null }): string {
  return `${kind} ${recordId}`;
}
