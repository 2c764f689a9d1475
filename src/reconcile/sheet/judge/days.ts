import { isDay } from '../../../domain/reconciling/business-day.ts';
import { DAY_MS } from '../../../time/clock.ts';
import { type Cell, spreadsheetDigits } from '../../file/cell.ts';

// Days as spreadsheet programs leave them: `2026-11-30`, a number of days, `30/11/2026`, `11/30/26`, `30-Nov-2026`.

/** Day 0 of a spreadsheet; another one counts from 1904. */
const EPOCHS = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)] as const;
/** 1954 to 2119: another number is no day. */
const SERIALS = { least: 20_000, most: 80_000 } as const;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ][\d:.Z]*)?$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const DAY_AND_NAME = /^(\d{1,2})[- ./]+([A-Za-z]{3})[a-z]*[- ./,]+(\d{4}|\d{2})$/;
const NAME_AND_DAY = /^([A-Za-z]{3})[a-z]*[- ./]+(\d{1,2})[- ./,]+(\d{4}|\d{2})$/;

/** Returns each day that a cell may mean, `yyyy-MM-dd`; the likeliest is the first. None: it is no day. */
export function daysIn(cell: Cell): readonly string[] {
  if (typeof cell === 'object') return cell.kind === 'date' ? [cell.date] : serialDays(cell.text);
  const text = cell.trim();
  const found = [...writtenDays(text), ...serialDays(text)].filter(isDay);
  return [...new Set(found)];
}

function writtenDays(text: string): string[] {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return [day(yearFirst[1], yearFirst[3], yearFirst[4])];
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast !== null) {
    const [, one, sign, other, year] = yearLast;
    // Where days are written with points, the day comes first.
    return sign === '.' ? [day(year, other, one)] : [day(year, other, one), day(year, one, other)];
  }
  const [, first, second, year] = DAY_AND_NAME.exec(text) ?? [];
  if (second !== undefined) return [day(year, monthOf(second), first)];
  const [, name, number, of] = NAME_AND_DAY.exec(text) ?? [];
  return name === undefined ? [] : [day(of, monthOf(name), number)];
}

function monthOf(name: string): string {
  return String(MONTHS.indexOf(name.toLowerCase()) + 1);
}

function day(year = '', month = '', date = ''): string {
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
}

function serialDays(text: string): string[] {
  const number = spreadsheetDigits(text);
  if (number === null || number.scale !== 0) return [];
  const days = Number(number.digits);
  if (days < SERIALS.least || days > SERIALS.most) return [];
  return EPOCHS.map((epoch) => new Date(epoch + days * DAY_MS).toISOString().slice(0, 10));
}
