import { RECORD_KINDS, type RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { UnparsedRow } from '../../src/domain/statements/statement.ts';
import type { Archive } from '../../src/store/archive.ts';
import type { RecordEvidence } from '../../src/store/reconciliation.ts';
import type { RecordSummary } from '../../src/store/records.ts';
import type { KeptBreak } from '../../src/store/runs.ts';
import type { PlacedLine } from '../../src/store/statements.ts';
import { evidenceJson, printWitnesses } from './evidence.ts';
import { print } from './output.ts';
import { recordJson, type Shown } from './record.ts';
import { unparsedJson } from './statement.ts';
import { lineJson, printLine } from './statement-line.ts';

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

function isRecordKind(kind: string | null): kind is RecordKind {
  return (RECORD_KINDS as readonly (string | null)[]).includes(kind);
}

export function bothSidesJson({ line, unparsed, record, evidence }: BothSides, shown: Shown) {
  return {
    cells: line === null ? null : lineJson(line.line, shown.reveal),
    unparsed: unparsed === null ? null : unparsedJson(unparsed),
    record: record === null ? null : recordJson(record, shown),
    evidence: evidence === null ? null : evidenceJson(evidence),
  };
}

/** Prints the line as the statement has it, then what the witnesses say of the record. */
export function printBothSides(
  named: KeptBreak['line'],
  { line, unparsed, record, evidence }: BothSides,
  shown: Shown,
): void {
  if (named !== null) printLine(named, { line, unparsed }, shown.reveal);
  if (record === null) return;
  print();
  printWitnesses(record, evidence);
}
