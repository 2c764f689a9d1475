import { stringify } from 'csv-stringify/sync';
import { magnitude, money } from '../../domain/money/amount.ts';
import { safeText } from '../sheet/cells.ts';
import type { PrintedEntry } from './printed.ts';

const HEADER = [
  'entry',
  'line',
  'date',
  'account',
  'debit',
  'credit',
  'currency',
  'text',
  'reference',
  'source',
  'reverses',
] as const;

/** Returns the journal as CSV for other programs: commas, CRLF, no totals. One of debit and credit is filled, and positive. */
export function journalCsv(entries: readonly PrintedEntry[]): string {
  const rows = entries.flatMap(({ name, date, currency, source, reverses, lines }) =>
    lines.map(({ account, minor, text, reference }, at) => [
      name ?? '',
      String(at + 1),
      date,
      cell(account),
      minor > 0n ? amountText(minor) : '',
      minor < 0n ? amountText(minor) : '',
      currency,
      cell(text),
      cell(reference ?? ''),
      source,
      reverses ?? '',
    ]),
  );
  return stringify([[...HEADER], ...rows], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** No text becomes a formula, also where a spreadsheet opens the file. */
function cell(text: string): string {
  return safeText(text.toWellFormed());
}

function amountText(minor: bigint): string {
  return money(magnitude(minor));
}
