import { isAt } from '../../domain/statements/lines.ts';
import type { Account } from '../../domain/statements/statement.ts';
import { BANK_DIRECTIONS, bankTypeOf } from './bank-types.ts';
import { type Roles, wordsOf } from './columns.ts';
import { directionOfWord } from './debit-credit.ts';
import type { Add } from './setting.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';
import { typeByDirection, typeOfWord } from './words.ts';

/** More words than this are no types. */
const MOST_WORDS = 100;

/** Adds what each word of the types means; on an account of a bank without such words, each direction. */
export function typeSettings(table: FoundTable, roles: Roles, kind: Account['kind'], add: Add): void {
  const isBank = isAt(kind, 'bank');
  if (roles.type === undefined) {
    if (isBank) for (const { word, type, why } of BANK_DIRECTIONS) add(`types.${word}`, type, why);
    return;
  }
  const words = wordsOf(cellsOfColumn(table.lines, roles.type.index)).slice(0, MOST_WORDS);
  for (const word of words) addType(add, word, directionOfWord(table, roles, word), isBank);
}

function addType(add: Add, word: string, direction: -1 | 0 | 1, isBank: boolean): void {
  const paid = typeByDirection(word, direction);
  const said = paid ?? typeOfWord(word);
  const type = isBank ? bankTypeOf(said, direction) : said;
  const moved = `its lines are money ${direction < 0 ? 'out' : 'in'}`;
  const why =
    type !== said
      ? `on a bank account${direction === 0 ? '' : `, and ${moved}`}: settlement is the service's, other is not`
      : type === 'other'
        ? 'what does this word mean?'
        : `by the word${paid === null ? '' : `, and ${moved}`}`;
  // A word may hold a point, so its path is not made of a text.
  add(`types.${word.replaceAll('.', '\u0000')}`, type, why);
}
