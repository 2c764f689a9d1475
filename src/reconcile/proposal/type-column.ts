import { columnName, exampleOf, type RoleGuess, type Roles, wordsOf } from './columns.ts';
import { asTypesSay } from './debit-credit.ts';
import { cellsOfColumn, type FoundTable } from './table.ts';
import { isTypeWord } from './words.ts';

/** More words than this are no types. */
const MOST_WORDS = 20;

/**
 * Adds the column of types, where no header names one: a column of which every word is a type that we know; else the text, where it
 * has few words, often. The text stays what it is, too.
 */
export function withTypes(table: FoundTable, roles: Roles): Roles {
  return asTypesSay(table, roles.type === undefined ? withTypeColumn(table, roles) : roles);
}

function withTypeColumn(table: FoundTable, roles: Roles): Roles {
  const { text } = roles;
  const taken = new Set(Object.values(roles).map((role) => role?.index));
  for (let index = 0; index < table.width; index++) {
    if (taken.has(index) && index !== text?.index) continue;
    const words = wordsOf(cellsOfColumn(table.lines, index));
    const isKnown = areTypes(words, table.lines.length) && words.every(isTypeWord);
    if (!isKnown) continue;
    return { ...roles, type: guessOf(table, index, 'each of its words is a type') };
  }
  if (text === undefined) return roles;
  const cells = cellsOfColumn(table.lines, text.index);
  const words = wordsOf(cells);
  const isFew = areTypes(words, cells.length) && words.length * 2 <= cells.length;
  return isFew ? { ...roles, type: guessOf(table, text.index, 'it holds few words, often') } : roles;
}

/** Different words on few lines may all be types. */
const FEW_WORDS = 5;

/** Whether words may be types: a narration has numbers, and is another one on nearly every line. */
function areTypes(words: readonly string[], lines: number): boolean {
  const areFew = words.length <= FEW_WORDS || words.length * 2 <= lines;
  return words.length > 0 && words.length <= MOST_WORDS && areFew && !words.some((word) => /\d/.test(word));
}

function guessOf({ header, lines }: FoundTable, index: number, why: string): RoleGuess {
  return { index, value: columnName(header, index), why: `${why}${exampleOf(cellsOfColumn(lines, index))}` };
}
