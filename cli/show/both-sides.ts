import type { BothSides } from '../../src/reconcile/exceptions/both-sides.ts';
import type { KeptBreak } from '../../src/store/runs.ts';
import { evidenceJson, printWitnesses } from './evidence.ts';
import { print } from './output.ts';
import { recordJson, type Shown } from './record.ts';
import { unparsedJson } from './statement.ts';
import { lineJson, printLine } from './statement-line.ts';

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
