import { money } from '../../src/domain/money/amount.ts';
import type { StatementLine, UnparsedRow } from '../../src/domain/statements/statement.ts';
import { bankText, counterpartyText, lineFacts, unparsedColumns } from '../../src/lists/statement-lines.ts';
import type { PlacedLine } from '../../src/store/statements.ts';
import { terminalFacts } from './list-columns.ts';
import { bold, print, printFacts } from './output.ts';
import { isoTime } from './text.ts';

// Lines of statements as text and JSON.

export function lineJson(line: StatementLine, reveal: boolean) {
  const { row, date, valueDate, type, typeText, currency, reference, sessionId, transactionReference, group } = line;
  return {
    row,
    date,
    valueDate,
    at: isoTime(line.atMs),
    type,
    typeText,
    currency,
    amount: money(line.amount),
    principal: money(line.principal),
    fee: money(line.fee),
    tax: money(line.tax),
    duty: money(line.duty),
    balance: money(line.balance),
    reference,
    sessionId,
    transactionReference,
    group,
    text: bankText(line.text, { reveal }),
    counterparty: counterpartyText(line, { reveal }),
    fingerprint: line.fingerprint,
    occurrence: line.occurrence,
  };
}

/** A row of a statement as facts: the line, why it could not be read, or that it is gone. */
export function printLine(
  { statement, row }: { readonly statement: number; readonly row: number },
  { line: placed, unparsed }: { readonly line: PlacedLine | null; readonly unparsed: UnparsedRow | null },
  reveal: boolean,
): void {
  print(`\n${bold(`Row ${row} of statement ${statement}`)}`);
  if (unparsed !== null) {
    const [, ...columns] = unparsedColumns({ reveal }, Number.POSITIVE_INFINITY);
    printFacts(terminalFacts(columns, unparsed));
  } else if (placed === null) print('It shows no more: its statement was removed.');
  else printFacts(terminalFacts(lineFacts({ reveal }), placed));
}
