import { RESOLUTIONS, type Resolution } from '../../../domain/exceptions/words.ts';
import { keptName, samePerson } from '../../../domain/persons/person.ts';
import type { Cell } from '../../file/cell.ts';
import type { FilledColumn, SheetException } from '../columns.ts';
import { daysIn } from './days.ts';
import { isSameText, textIn } from './same.ts';

/** Empties a cell that has something: an empty one changes nothing. */
export const CLEAR = '-';

/** What a person wrote into a row. Missing: nothing, or what stands there already; null: it is to be cleared. */
export interface Said {
  /** As written; a word that there is when `isResolution` says so. */
  readonly resolution?: string;
  readonly reasonCode?: string;
  readonly assignee?: string | null;
  readonly comment?: string | null;
  readonly followUp?: string | null;
}

export type ReadValue = { readonly value: string | null | undefined } | { readonly fault: string };

const UNSAID: ReadValue = { value: undefined };

/** Reads a cell that a person fills. */
export function readFilled(column: FilledColumn, cell: Cell): ReadValue {
  const text = textIn(cell);
  if (text === '') return UNSAID;
  if (column === 'follow_up') return text === CLEAR ? { value: null } : readDay(cell);
  if (column === 'resolution' || column === 'reason_code') return { value: text.toLowerCase() };
  if (text === CLEAR) return { value: null };
  const fault = damage(cell, text);
  if (fault !== null) return { fault };
  return { value: column === 'assignee' ? keptName(text) : text };
}

function readDay(cell: Cell): ReadValue {
  const [day, ...others] = daysIn(typeof cell === 'string' ? textIn(cell) : cell);
  if (day === undefined) return { fault: 'is no day: write it as 2026-11-30' };
  const [other] = others;
  if (other === undefined || isNumber(cell)) return { value: day };
  return { fault: `may be ${day} or ${other}: write it as ${day}` };
}

/** Of the two days that a program may count from, nearly all count from 1900. */
function isNumber(cell: Cell): boolean {
  return typeof cell === 'object' ? cell.kind === 'number' : /^\d+$/.test(cell.trim());
}

const SHORTENED = /^-?\d(?:[.,]\d+)?E\+?\d{2,3}$/i;
const LONG_NUMBER = /^\d{16,}$/;
const TO_TEXT = 'format the cell as text, and write it again';

/** What a spreadsheet program has made of a text; null: nothing. */
function damage(cell: Cell, text: string): string | null {
  if (typeof cell === 'string') {
    return SHORTENED.test(text) ? `is a number that the spreadsheet program has shortened: ${TO_TEXT}` : null;
  }
  if (cell.kind === 'date') return `is a day that the spreadsheet program has made of a text: ${TO_TEXT}`;
  return LONG_NUMBER.test(text) ? `is a number that the spreadsheet program has rounded: ${TO_TEXT}` : null;
}

/** Whether a cell says what the exception has already; an unclear day may be that one. */
export function isCurrent(column: FilledColumn, cell: Cell, one: SheetException): boolean {
  switch (column) {
    case 'resolution':
      return textIn(cell).toLowerCase() === one.resolution;
    case 'reason_code':
      return one.reasonCode !== null && textIn(cell).toLowerCase() === one.reasonCode.toLowerCase();
    case 'assignee':
      return one.assignee !== null && (samePerson(textIn(cell), one.assignee) || isSameText(cell, one.assignee));
    case 'comment':
      return one.comment !== null && isSameText(cell, one.comment);
    case 'follow_up':
      return one.followUp !== null && daysIn(typeof cell === 'string' ? textIn(cell) : cell).includes(one.followUp);
  }
}

export function isResolution(word: string): word is Resolution {
  return (RESOLUTIONS as readonly string[]).includes(word);
}
