import { parseAmount } from '../../../domain/money/amount.ts';
import { type Cell, cellText, type Digits, spreadsheetDigits } from '../../file/cell.ts';
import { plainText, type SheetCell } from '../cells.ts';
import { shortened } from '../xlsx-text.ts';
import { daysIn } from './days.ts';

/** Whether a cell of a file, as a spreadsheet program saved it, has the value of a cell as it was exported. */
export function isSame(read: Cell, exported: SheetCell): boolean {
  // Most cells are as they were exported, and comparing what they mean takes most of the judging.
  if (exported !== null && 'text' in exported && read === exported.text) return true;
  switch (exported?.kind) {
    case undefined:
      return cellText(read) === '';
    case 'day':
      return daysIn(read).includes(exported.day) || isSameText(read, exported.day);
    case 'whole':
      return numbersIn(read).some(({ digits, scale }) => scale === 0 && digits === BigInt(exported.value));
    case 'amount': {
      const { units, scale } = parseAmount(exported.text);
      return numbersIn(read).some((one) => one.digits === units && one.scale === scale);
    }
    case 'text':
      return isSameText(read, exported.text);
  }
}

/** Blanks, line ends and characters that no program keeps do not count. */
export function isSameText(read: Cell, text: string): boolean {
  const wanted = comparable(text);
  if (comparable(textIn(read)) === wanted) return true;
  // A program may have taken off the apostrophe by itself.
  return typeof read === 'string' && comparable(read) === wanted;
}

/** Returns the text of a cell as a person means it: without blanks around, and without the apostrophe of an export. */
export function textIn(cell: Cell): string {
  return typeof cell === 'string' ? plainText(cell).trim() : cellText(cell);
}

const NOT_KEPT = /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\uFFFD]+/gu;

function comparable(text: string): string {
  return shortened(text).replace(/\s+/g, ' ').replace(NOT_KEPT, '').replace(/ +/g, ' ').trim().normalize('NFC');
}

/** Returns each number that a cell may mean: `1.234,50` and `1,234.50` are saved by programs of different languages. */
function numbersIn(cell: Cell): readonly Digits[] {
  if (typeof cell === 'object') {
    const number = cell.kind === 'number' ? spreadsheetDigits(cell.text) : null;
    return number === null ? [] : [number];
  }
  const bare = plainText(cell).replace(/[\s'’]/g, '');
  const [, inside] = /^\((.*)\)$/.exec(bare) ?? [];
  const text = inside === undefined ? bare.replace(/^(.*)-$/, '-$1').replace('−', '-') : `-${inside}`;
  const forms = [text.replaceAll(',', ''), text.replaceAll('.', '').replace(',', '.')];
  return forms.flatMap((form) => exactNumber(form));
}

/** Every digit counts: a text is no double. */
function exactNumber(text: string): Digits[] {
  if (!/^-?\d{1,18}(?:\.\d{1,8})?$/.test(text)) return [];
  const { units, scale } = parseAmount(text);
  return [trimmed(units, scale)];
}

function trimmed(digits: bigint, scale: number): Digits {
  return { digits, scale };
}
