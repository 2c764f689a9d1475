import { cellText, type Row } from '../file/cell.ts';
import { CODES } from './currency-codes.ts';
import type { Guess } from './guess.ts';
import type { FoundTable } from './table.ts';

const CODE = new RegExp(`(?<![A-Za-z])(${CODES})(?![A-Za-z])`);
/** Signs of one currency: $ is that of twenty. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₦', 'NGN'],
  ['₵', 'GHS'],
];
const STANDARD = 'NGN';

/**
 * Returns the currency of a file whose lines do not say it: of a column, such as `Amount (NGN)`, of what stands above the table,
 * or of the name of the file.
 */
export function currencyOf(name: string, rows: readonly Row[], { header, skipRows }: FoundTable): Guess<string> {
  const above = rows.slice(0, skipRows).flatMap((row, index) => {
    return row.map((cell) => ({ text: cellText(cell), where: `row ${index + 1}` }));
  });
  const places = [
    ...(header ?? []).map((text) => ({ text, where: 'the header' })),
    ...above,
    { text: name, where: 'the name of the file' },
  ];
  for (const { text, where } of places) {
    const code = CODE.exec(text)?.[1] ?? SIGNS.find(([sign]) => text.includes(sign))?.[1];
    if (code !== undefined) return { value: code, why: `${where} says so: ${JSON.stringify(text.slice(0, 40))}` };
  }
  return { value: STANDARD, why: 'neither a column nor the title says it: which one is it?' };
}
