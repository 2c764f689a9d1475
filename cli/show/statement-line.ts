import { money } from '../../src/domain/money/amount.ts';
import type { StatementLine, UnparsedRow } from '../../src/domain/statements/statement.ts';
import { bankText } from '../../src/lists/statement-lines.ts';
import type { PlacedLine } from '../../src/store/statements.ts';
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
    counterparty: bankText(line.counterparty, { reveal }),
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
    printFacts([
      ['column', unparsed.column],
      ['value', JSON.stringify(bankText(unparsed.value, { reveal }))],
      ['not read because', bankText(unparsed.reason, { reveal })],
    ]);
    return;
  }
  if (placed === null) {
    print('It shows no more: its statement was removed.');
    return;
  }
  const { account, line } = placed;
  const sum = (minor: bigint | null) => (minor === null ? null : `${money(minor)} ${line.currency}`);
  const facts = [
    ['account', `${account.name} (${account.kind}, ${account.environment})`],
    ['date', line.date],
    ['value date', line.valueDate],
    ['type', line.type === null ? `? ${line.typeText}` : `${line.type} (${line.typeText})`],
    ['amount', sum(line.amount)],
    ['principal', sum(line.principal)],
    ['fee', sum(line.fee)],
    ['tax', sum(line.tax)],
    ['duty', sum(line.duty)],
    ['balance', sum(line.balance)],
    ['reference', line.reference],
    ['session id', line.sessionId],
    ['transaction', line.transactionReference],
    ['group', line.group],
    ['text', bankText(line.text, { reveal })],
    ['counterparty', bankText(line.counterparty, { reveal })],
  ] as const;
  printFacts(facts.filter(([, value]) => value !== null));
}
