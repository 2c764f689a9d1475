import { isRecordKind } from '../../domain/records/lifecycle.ts';
import type { UnparsedRow } from '../../domain/statements/statement.ts';
import type { Archive } from '../../store/archive.ts';
import type { RecordEvidence } from '../../store/reconciliation.ts';
import type { RecordSummary } from '../../store/records.ts';
import type { KeptBreak } from '../../store/runs.ts';
import type { PlacedLine } from '../../store/statements.ts';

/** The rows of both sides of a break, as far as there are any. */
export interface BothSides {
  readonly line: PlacedLine | null;
  readonly unparsed: UnparsedRow | null;
  readonly record: RecordSummary | null;
  readonly evidence: RecordEvidence | null;
}

export async function bothSides(archive: Archive, one: KeptBreak, asAtMs: number): Promise<BothSides> {
  const rows = one.line === null ? [] : await archive.unparsedRows(one.line.statement);
  return {
    line: one.line === null ? null : await archive.lineAt(one.line),
    unparsed: rows.find(({ row }) => row === one.line?.row) ?? null,
    ...(await recordOf(archive, one, asAtMs)),
  };
}

async function recordOf(archive: Archive, { kind, recordId, reference, environment }: KeptBreak, asAtMs: number) {
  if (recordId === null || reference === null || !isRecordKind(kind)) return { record: null, evidence: null };
  const records = await archive.record(kind, reference, environment);
  const [evidence = null] = await archive.evidence(kind, [recordId], asAtMs);
  return { record: records.find(({ id }) => id === recordId) ?? null, evidence };
}
