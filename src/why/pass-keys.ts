import type { OurKind, Pass } from '../domain/reconciling/rules.ts';
import type { TriedLine, TriedRow } from '../store/scratch/tried-rows.ts';

// What the passes look for (store/scratch/passes.ts has the same as conditions). Pure.

/** What a pass looks for, as a word. */
export function keyWord(pass: Pass): string {
  return pass === 'transaction_reference_and_amount' ? 'transaction reference' : pass.replaceAll('_', ' ');
}

export function kindWord(kind: OurKind): string {
  return kind.replace('_', '-');
}

/** Whether a line names a row of ours in the way of a pass. */
export function names(pass: Pass, row: TriedRow, line: TriedLine): boolean {
  const { reference, sessionId, transactionReference } = row;
  switch (pass) {
    case 'reference':
      return line.reference === reference;
    case 'group':
      return line.group === reference || line.reference === reference;
    case 'session_id':
      return (
        (sessionId !== null && (line.sessionId === sessionId || line.reference === sessionId)) ||
        line.sessionId === reference
      );
    case 'transaction_reference_and_amount':
      return transactionReference !== null && line.transactionReference === transactionReference;
    default:
      return false; // amounts and days are no names
  }
}

/** Whether a line has the amount of a row of ours, or what a debit takes in all. */
export function hasAmount({ amount, fees, duty }: TriedRow, line: TriedLine): boolean {
  if (amount === null) return false;
  const moved = line.amount < 0n ? -line.amount : line.amount;
  return line.principal === amount || moved === amount + (fees ?? 0n) + (duty ?? 0n);
}

/** A line in another currency still belongs to the record that it names, but by nothing that looks at amounts. */
export function mayDifferInCurrency(pass: Pass, { recordId }: TriedRow): boolean {
  return recordId !== null && pass !== 'transaction_reference_and_amount';
}
