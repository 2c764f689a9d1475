import { money } from '../../src/domain/money/amount.ts';
import type { StatementLine, UnparsedRow } from '../../src/domain/statements/statement.ts';
import { maskedText } from '../../src/domain/text/privacy.ts';
import type { PlacedLine } from '../../src/store/statements.ts';
import { bold, type Column, print, printFacts } from './output.ts';
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
    text: shownText(line.text, reveal),
    counterparty: shownText(line.counterparty, reveal),
    fingerprint: line.fingerprint,
    occurrence: line.occurrence,
  };
}

function shownText(text: string | null, reveal: boolean): string | null {
  return text === null || reveal ? text : maskedText(text);
}

export function lineColumns(reveal: boolean): readonly Column<StatementLine>[] {
  return [
    { header: 'ROW', value: ({ row }) => row, align: 'right' },
    { header: 'DATE', value: ({ date }) => date },
    { header: 'TYPE', value: ({ type, typeText }) => type ?? `? ${typeText}` },
    { header: 'REFERENCE', value: ({ reference }) => reference },
    { header: 'AMOUNT', value: ({ amount }) => money(amount), align: 'right' },
    { header: 'CCY', value: ({ currency }) => currency, leaveOut: 3 },
    { header: 'FEE', value: ({ fee }) => money(fee), align: 'right', leaveOut: 5 },
    { header: 'TAX', value: ({ tax }) => money(tax), align: 'right', leaveOut: 6 },
    { header: 'DUTY', value: ({ duty }) => money(duty), align: 'right', leaveOut: 7 },
    { header: 'BALANCE', value: ({ balance }) => money(balance), align: 'right', leaveOut: 4 },
    { header: 'GROUP', value: ({ group }) => group, leaveOut: 8 },
    { header: 'TEXT', value: ({ text }) => shownText(text, reveal), leaveOut: 9 },
  ];
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
      ['value', JSON.stringify(unparsed.value)],
      ['not read because', unparsed.reason],
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
    ['text', shownText(line.text, reveal)],
    ['counterparty', shownText(line.counterparty, reveal)],
  ] as const;
  printFacts(facts.filter(([, value]) => value !== null));
}
