import { money } from '../domain/money/amount.ts';
import type { StatementLine, UnparsedRow } from '../domain/statements/statement.ts';
import { maskedText, maskedValue } from '../domain/text/privacy.ts';
import type { PlacedLine } from '../store/statements.ts';
import { count, date, effect, figure, id, type ListColumn, long, type Shown, text, word } from './column.ts';

// Lines of statements, and rows that are none. What a bank wrote is masked.

export function lineColumns(shown: Shown): ListColumn<StatementLine>[] {
  return [
    count('Row', ({ row }) => row),
    date('Date', (line) => line.date),
    word('Type', ({ type, typeText }) => type ?? `? ${typeText}`),
    id('Reference', ({ reference }) => reference),
    effect('Amount', ({ amount }) => money(amount)),
    text('Ccy', ({ currency }) => currency, { leaveOut: 3 }),
    figure('Fee', ({ fee }) => money(fee), { leaveOut: 5 }),
    figure('Tax', ({ tax }) => money(tax), { leaveOut: 6 }),
    figure('Duty', ({ duty }) => money(duty), { leaveOut: 7 }),
    figure('Balance', ({ balance }) => money(balance), { leaveOut: 4 }),
    text('Group', ({ group }) => group, { leaveOut: 8 }),
    text('Text', (line) => bankText(line.text, shown), { leaveOut: 9 }),
  ];
}

/** A line whole, as facts. */
export function lineFacts(shown: Shown): ListColumn<PlacedLine>[] {
  const sum = (minor: bigint | null, { line }: PlacedLine) =>
    minor === null ? null : `${money(minor)} ${line.currency}`;
  return [
    text('Account', ({ account }) => `${account.name} (${account.kind}, ${account.environment})`),
    date('Date', ({ line }) => line.date),
    date('Value date', ({ line }) => line.valueDate),
    text('Type', ({ line: { type, typeText } }) => (type === null ? `? ${typeText}` : `${type} (${typeText})`)),
    effect('Amount', (one) => sum(one.line.amount, one)),
    figure('Principal', (one) => sum(one.line.principal, one)),
    figure('Fee', (one) => sum(one.line.fee, one)),
    figure('Tax', (one) => sum(one.line.tax, one)),
    figure('Duty', (one) => sum(one.line.duty, one)),
    figure('Balance', (one) => sum(one.line.balance, one)),
    id('Reference', ({ line }) => line.reference),
    id('Session id', ({ line }) => line.sessionId),
    id('Transaction', ({ line }) => line.transactionReference),
    text('Group', ({ line }) => line.group),
    long('Text', ({ line }) => bankText(line.text, shown)),
    long('Counterparty', ({ line }) => counterpartyText(line, shown)),
  ];
}

/** `most`: characters of the value that are shown. */
export function unparsedColumns(shown: Shown, most = MOST_OF_VALUE): ListColumn<UnparsedRow>[] {
  return [
    count('Row', ({ row }) => row),
    text('Column', ({ column }) => column),
    text('Value', ({ value }) => JSON.stringify(bankText(value.slice(0, most), shown))),
    long('Not read because', ({ reason }) => bankText(reason, shown)),
  ];
}

/** Characters of a value that could not be read: a shifted row may hold a whole page. */
const MOST_OF_VALUE = 60;

/** Account numbers, addresses and phones in it are masked, unless it is revealed. */
export function bankText<Text extends string | null>(written: Text, { reveal }: Shown): Text | string {
  return written === null || reveal ? written : maskedText(written);
}

/** Who paid or was paid, masked as the name of a person. */
export function counterpartyText({ counterparty }: StatementLine, { reveal }: Shown): string | null {
  return counterparty === null || reveal ? counterparty : maskedValue('counterparty', counterparty);
}
