import { MAX_MINOR, MINOR_SCALE } from '../../domain/money/amount.ts';
import { BROKEN, type Cell, spreadsheetDigits } from './cell.ts';

export interface NumberForm {
  readonly decimal: '.' | ',';
  readonly group: string | null;
  readonly unit: 'major' | 'minor';
  readonly negative: 'minus' | 'parentheses' | 'trailing' | 'dr';
  /** Digits of a group: three, or two but for the last three (12,34,567.00). */
  readonly grouping?: 'three' | 'indian' | undefined;
  /** What may stand beside the number, such as `$`. */
  readonly currencySign?: string | undefined;
}

/** Minor units, exact; null: an empty cell; a text: why the cell is no amount, and what to do. */
export type ReadNumber = bigint | null | string;

const BLANKS = /[ \u00a0\u202f]/;
const APOSTROPHES = /['’]/;

/** Returns the reader of a column of amounts. No float is made: digits become an integer of minor units. */
export function numberReader(form: NumberForm): (cell: Cell) => ReadNumber {
  const digits = digitsForm(form);
  const bare = form.currencySign === undefined ? (text: string) => text : withoutSign(form.currencySign);
  return (cell) => {
    if (typeof cell !== 'string') return typedNumber(cell, form.unit);
    const text = cell.trim();
    if (text === '') return null;
    if (text.length > LONGEST_AMOUNT) return TOO_LONG;
    const { negative, rest } = unsigned(bare(text), form.negative);
    const found = digits.exec(rest);
    if (found === null || (found[1] === '' && found[2] === undefined)) return whyNot(text, form);
    const whole = form.group === null ? (found[1] ?? '') : (found[1] ?? '').replace(/\D/g, '');
    const value = minorOf(whole, found[2] ?? '', form.unit);
    return typeof value === 'string' || !negative ? value : -value;
  };
}

/** Returns the remover of a currency sign at an end of a number, within its parentheses or its minus or around them. */
function withoutSign(sign: string): (text: string) => string {
  const literal = sign.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
  const before = new RegExp(`^([-+(\\u2212]?)\\s*${literal}\\s*(?=[-(\\u2212]?\\s*[\\d.,])`);
  const behind = new RegExp(`(?<=\\d[-)\\u2212]?)\\s*${literal}\\s*([-)\\u2212]?)$`);
  return (text) => {
    const rest = text.replace(before, '$1');
    return rest === text ? text.replace(behind, '$1') : rest;
  };
}

function digitsForm({ decimal, group, grouping }: NumberForm): RegExp {
  const mark = group === null ? '' : groupPattern(group);
  const grouped = grouping === 'indian' ? `\\d{1,2}(?:${mark}\\d{2})*${mark}\\d{3}` : `\\d{1,3}(?:${mark}\\d{3})+`;
  const whole = group === null ? '\\d*' : `${grouped}|\\d*`;
  return new RegExp(`^(${whole})(?:\\${decimal}(\\d+))?$`);
}

function groupPattern(group: string): string {
  return [BLANKS, APOSTROPHES].find((alike) => alike.test(group))?.source ?? `\\${group}`;
}

/** Takes the sign away, in the one form that the profile declares. */
function unsigned(text: string, form: NumberForm['negative']): { negative: boolean; rest: string } {
  if (form === 'minus') {
    const sign = text.charAt(0);
    // U+2212 is the minus of typesetters, which some exports use.
    const isMinus = sign === '-' || sign === '\u2212';
    return { negative: isMinus, rest: isMinus || sign === '+' ? text.slice(1) : text };
  }
  if (form === 'parentheses') {
    const inside = /^\((.*)\)$/.exec(text)?.[1];
    return { negative: inside !== undefined, rest: inside ?? text };
  }
  if (form === 'dr') {
    const [word = ''] = /\s*[cd]r\.?$/i.exec(text) ?? [];
    return { negative: /d/i.test(word), rest: word === '' ? text : text.slice(0, -word.length) };
  }
  const isTrailing = text.endsWith('-') || text.endsWith('\u2212');
  return { negative: isTrailing, rest: isTrailing ? text.slice(0, -1).trimEnd() : text };
}

function minorOf(whole: string, fraction: string, unit: NumberForm['unit']): bigint | string {
  const decimals = fraction.length === MINOR_SCALE ? fraction : fraction.replace(/0+$/, '');
  if (unit === 'minor' && /[1-9]/.test(fraction)) return NOT_WHOLE;
  if (decimals.length > MINOR_SCALE) return TOO_FINE;
  const minor = BigInt((unit === 'minor' ? whole : whole + decimals.padEnd(MINOR_SCALE, '0')) || '0');
  return minor > MAX_MINOR ? TOO_LARGE : minor;
}

function typedNumber(cell: Exclude<Cell, string>, unit: NumberForm['unit']): bigint | string {
  if (cell.kind === 'date')
    return 'is a date, and an amount is expected: mend the column in the profile, or the format of the cell';
  if (cell.kind === 'error') return BROKEN;
  const number = spreadsheetDigits(cell.text);
  if (number === null) return 'is no number: mend the cell';
  const { digits, scale } = number;
  if (unit === 'minor' && scale > 0) return NOT_WHOLE;
  if (scale > MINOR_SCALE) return TOO_FINE;
  const minor = unit === 'minor' ? digits : digits * 10n ** BigInt(MINOR_SCALE - scale);
  return minor > MAX_MINOR || minor < -MAX_MINOR ? TOO_LARGE : minor;
}

/** Characters of an amount, with all that may stand beside its digits. */
const LONGEST_AMOUNT = 100;
const TOO_LONG = 'has more characters than any amount: is this the column of amounts?';
const TOO_FINE = 'has more than two decimals: round it where it was made, because nothing is rounded here';
const NOT_WHOLE = 'is no whole number, and number.unit is minor: use major when amounts have decimals';
const TOO_LARGE = 'is larger than any amount that can be kept: is this the column of amounts?';

const OTHER_FORMS: readonly (readonly [RegExp, string])[] = [
  [/^[-+(]?\d{1,3}(?:\.\d{3})+,\d{1,2}[-)]?$/, 'decimal "," and group "."'],
  [/^[-+(]?\d{1,3}(?:,\d{3})+\.\d{1,2}[-)]?$/, 'decimal "." and group ","'],
  [/^[-+(]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+,\d{1,2}[-)]?$/, 'decimal "," and group " "'],
  [/^[-+(]?\d{1,3}(?:['’]\d{3})+\.\d{1,2}[-)]?$/, 'decimal "." and group "\'"'],
  [/^[-+(]?\d+,\d{1,2}[-)]?$/, 'decimal ","'],
  [/^[-+(]?\d+\.\d{1,2}[-)]?$/, 'decimal "."'],
];

function whyNot(text: string, form: NumberForm): string {
  const declared = `decimal ${JSON.stringify(form.decimal)} and group ${form.group === null ? 'none' : JSON.stringify(form.group)}`;
  const mend = 'If the whole column is so, set number in the profile; else mend the cell';
  if (/\d[eE]\+?\d/.test(text))
    return 'has been rounded by a spreadsheet: export the file again without opening it in one';
  if (/\d\s*[cd]r\.?$/i.test(text) && form.negative !== 'dr')
    return 'says CR or DR: set number.negative to dr in the profile, if all amounts of the file are so';
  if (/[^\d\s.,'’()+\u2212-]/.test(text))
    return `is no amount: ${declared}, and no letters or currency signs, are expected. Where amounts have a sign such as $, say it in number.currencySign`;
  if (/^[-+(]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d*)?[-)]?$/.test(text) && form.grouping !== 'indian')
    return `has groups of two digits: set number.grouping to indian in the profile, with group ","`;
  const other = OTHER_FORMS.find(([pattern]) => pattern.test(text))?.[1];
  if (other !== undefined && !other.startsWith(declared) && other !== `decimal ${JSON.stringify(form.decimal)}`) {
    return `looks like ${other}, and the profile says ${declared}. ${mend}`;
  }
  const sign = signSeen(text);
  if (sign !== null && sign !== form.negative) {
    return `has its sign as ${sign}, and the profile says number.negative: ${form.negative}. ${mend}`;
  }
  return `is no amount with ${declared}: a group has three digits. ${mend}`;
}

function signSeen(text: string): NumberForm['negative'] | null {
  if (/^[-\u2212]/.test(text)) return 'minus';
  if (text.startsWith('(')) return 'parentheses';
  return /[-\u2212]$/.test(text) ? 'trailing' : null;
}
