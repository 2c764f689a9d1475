import { type Cell, cellText } from '../file/cell.ts';
import { type DateFormat, dateFormat, datePartOf } from '../file/date-format.ts';
import { type NumberForm, numberReader } from '../file/number.ts';
import { USUAL_DATES } from '../file/usual-dates.ts';
import { signBeside } from './amount-text.ts';
import type { Guess } from './guess.ts';

/**
 * Returns the date form that most cells have; null: they are typed, or have none that is known. Of forms that fit equally well it is the
 * one that reads most of `others`, other days of the file: a period up to 10/31/2026 says where the day stands.
 */
export function dateFormOf(cells: readonly Cell[], others: readonly string[] = []): Guess<string> | null {
  const texts = cells
    .filter((cell) => typeof cell === 'string')
    .map((cell) => cell.trim())
    .filter((text) => text !== '');
  if (texts.length === 0) return null;
  const different = [...alikeBy(texts, (text) => text).values()];
  const fitting = USUAL_DATES.map((format) => ({
    ...format,
    count: total(different.filter(({ text }) => format.read(text) !== null)),
  })).filter(({ count }) => count > 0);
  const most = Math.max(0, ...fitting.map(({ count }) => count));
  const tied = fitting
    .filter(({ count }) => count === most)
    .map((format) => ({ ...format, alsoRead: alsoRead(format, others) }))
    .toSorted((one, other) => other.alsoRead.length - one.alsoRead.length);
  const [best, ...rest] = tied;
  if (best === undefined) return null;
  const days = ({ read }: DateFormat) => different.map(({ text }) => read(text)?.date).join();
  const other = rest.find((one) => days(one) !== days(best));
  const sign = best.alsoRead.find((text) => other !== undefined && !other.alsoRead.includes(text));
  const told = sign === undefined ? 'which part is the day?' : `but not for ${JSON.stringify(sign)}`;
  const also = other === undefined ? '' : `; ${other.pattern} would fit, too: ${told}`;
  const example = texts.find((text) => best.read(text) !== null);
  return {
    value: best.pattern,
    why: `it fits ${most} of ${texts.length} dates, such as ${JSON.stringify(example)}${also}`,
  };
}

function alsoRead({ pattern }: DateFormat, texts: readonly string[]): string[] {
  const { read } = dateFormat(datePartOf(pattern));
  return texts.filter((text) => read(text) !== null);
}

interface Alike {
  /** The first of them. */
  readonly text: string;
  readonly count: number;
}

/** Counts texts that are read alike, so that a column of a large file is tried once for each of a few. */
function alikeBy(texts: readonly string[], keyOf: (text: string) => string): Map<string, Alike> {
  const found = new Map<string, Alike>();
  for (const text of texts) {
    const key = keyOf(text);
    const known = found.get(key);
    found.set(key, { text: known?.text ?? text, count: (known?.count ?? 0) + 1 });
  }
  return found;
}

function total(some: readonly Alike[]): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}

const DECIMALS = ['.', ','] as const;
const GROUPS = [null, ',', '.', ' ', "'"] as const;
const NEGATIVES = ['minus', 'parentheses', 'trailing', 'dr'] as const;

/** Every form, the plain ones first. */
const FORMS: readonly NumberForm[] = NEGATIVES.flatMap((negative) => [
  ...GROUPS.flatMap((group) =>
    DECIMALS.filter((decimal) => decimal !== group).map((decimal) => formOf({ decimal, group, negative })),
  ),
  formOf({ decimal: '.', group: ',', negative, grouping: 'indian' }),
]);

function formOf(form: Omit<NumberForm, 'unit'>): NumberForm {
  return { ...form, unit: 'major' };
}

/** Returns the number form that reads most cells, with the cells that decided. */
export function numberFormOf(cells: readonly Cell[]): Guess<NumberForm> {
  const texts = cells.filter((cell) => typeof cell === 'string').map((cell) => cell.trim());
  const filled = texts.filter((text) => text !== '');
  // Which digits a number has does not decide its form.
  const shapes = [...alikeBy(filled, (text) => text.replace(/\d/g, '0')).values()];
  const currencySign = shapes.map(({ text }) => signBeside(text)).find((sign) => sign !== undefined);
  const tried = FORMS.map((one) => {
    const form = currencySign === undefined ? one : { ...one, currencySign };
    const read = numberReader(form);
    // Three digits behind a separator are a group: 12,000 is no 12.
    const isGroup = new RegExp(`\\${form.decimal}\\d{3,}\\D*$`);
    return { form, count: total(shapes.filter(({ text }) => typeof read(text) === 'bigint' && !isGroup.test(text))) };
  });
  const best = tried.reduce((one, other) => (other.count > one.count ? other : one));
  const longest = filled.reduce((one, other) => (other.length > one.length ? other : one), '');
  const why =
    filled.length === 0
      ? cells.some((cell) => typeof cell !== 'string')
        ? 'the amounts are typed numbers'
        : 'no amount was found: how are they written?'
      : `it reads ${best.count} of ${filled.length} amounts, such as ${JSON.stringify(longest)}`;
  return { value: best.form, why };
}

/** Whether an amount has decimals, 0.00 included. */
export function hasDecimals(cells: readonly Cell[], { decimal }: NumberForm): boolean {
  const inText = new RegExp(`\\${decimal}\\d{1,2}\\D*$`);
  return cells.some((cell) => (typeof cell === 'string' ? inText : /\./).test(cellText(cell)));
}
