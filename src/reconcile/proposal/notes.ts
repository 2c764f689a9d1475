import { looksLikeDay } from '../file/usual-dates.ts';
import { columnName, wordsOf } from './columns.ts';
import { foldedWord } from './fold.ts';
import type { Look } from './look.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';

/** Names of a column that says whose account a line is of. Those of the other party's account have more words. */
const ACCOUNT = /^((own|our|your|from) )?(account( (no|number|id|iban))?|compte|sub ?account( id)?|wallet( id)?)$/;
/** From this many on they are those of other parties. */
const MOST_ACCOUNTS = 20;
/** Accounts that a sentence names. */
const MOST_NAMED = 5;

/** A column with the accounts of a file that has lines of several. */
export interface SeveralAccounts {
  readonly column: string;
  readonly accounts: readonly string[];
}

/** Finds a column that names a few accounts, one of them on several lines; null: the file is of one account, as far as it says. */
export function severalAccounts({ header, lines }: FoundTable): SeveralAccounts | null {
  for (const [index, column] of (header ?? []).entries()) {
    if (!ACCOUNT.test(foldedWord(column))) continue;
    const accounts = wordsOf(cellsOfColumn(lines, index));
    if (accounts.length > 1 && accounts.length < Math.min(lines.length, MOST_ACCOUNTS)) return { column, accounts };
  }
  return null;
}

/** Returns what a person must know of a file beyond its settings, as sentences. */
export function notesOn({ sheets }: Look, table: FoundTable, several: SeveralAccounts | null): string[] {
  const notes: string[] = [];
  const mixed = Array.from({ length: table.width }, (_, index) => index).find((index) => isMixed(table, index));
  if (mixed !== undefined) {
    notes.push(
      `Column ${columnName(table.header, mixed)} has typed dates and text, so a spreadsheet may have swapped day and month of the typed ones: export the file again without opening it in one.`,
    );
  }
  if (several !== null) {
    const { column, accounts } = several;
    const named = accounts.slice(0, MOST_NAMED).join(', ') + (accounts.length > MOST_NAMED ? ', …' : '');
    notes.push(
      `Column ${column} has ${accounts.length} accounts (${named}), and a profile reads the lines of one: divide the file by this column, and give each file its own profile and account.`,
    );
  }
  const [first, ...others] = sheets;
  if (first !== undefined && others.length > 0) {
    const named = others.map((name, index) => `${index + 2} ${JSON.stringify(name)}`).join(', ');
    notes.push(
      `The workbook has ${sheets.length} sheets, and this is the first, ${JSON.stringify(first)}. The others: ${named}. To read one of them, set file.sheet to its number.`,
    );
  }
  return notes;
}

function isMixed({ lines }: FoundTable, index: number): boolean {
  const cells = cellsOfColumn(lines, index);
  const isTyped = cells.some((cell) => typeof cell !== 'string' && cell.kind === 'date');
  return isTyped && cells.some((cell) => typeof cell === 'string' && looksLikeDay(cell.trim()));
}
