import { type Cell, cellText } from '../file/cell.ts';
import { dateFormat } from '../file/date-format.ts';
import { USUAL_DATE_FORMATS } from '../file/dates.ts';
import { type NumberForm, numberReader } from '../file/number.ts';
import type { Guess } from './guess.ts';

/** Returns the date form that most cells have; null: they are typed, or have none that is known. */
export function dateFormOf(cells: readonly Cell[]): Guess<string> | null {
  const texts = cells
    .filter((cell) => typeof cell === 'string')
    .map((cell) => cell.trim())
    .filter((text) => text !== '');
  if (texts.length === 0) return null;
  const fitting = USUAL_DATE_FORMATS.map((pattern) => {
    const { read } = dateFormat(pattern);
    return { pattern, count: texts.filter((text) => read(text) !== null).length };
  }).filter(({ count }) => count > 0);
  const most = Math.max(0, ...fitting.map(({ count }) => count));
  const [best, ...others] = fitting.filter(({ count }) => count === most).map(({ pattern }) => pattern);
  if (best === undefined) return null;
  const days = (pattern: string) => texts.map((text) => dateFormat(pattern).read(text)?.date).join();
  const other = others.find((pattern) => days(pattern) !== days(best));
  const also = other === undefined ? '' : `; ${other} would fit, too: which part is the day?`;
  return { value: best, why: `it fits ${most} of ${texts.length} dates, such as ${JSON.stringify(texts[0])}${also}` };
}

const DECIMALS = ['.', ','] as const;
const GROUPS = [null, ',', '.', ' ', "'"] as const;
const NEGATIVES = ['minus', 'parentheses', 'trailing'] as const;

/** Every form, the plain ones first. */
const FORMS: readonly NumberForm[] = NEGATIVES.flatMap((negative) =>
  GROUPS.flatMap((group) =>
    DECIMALS.filter((decimal) => decimal !== group).map((decimal) => ({
      decimal,
      group,
      negative,
      unit: 'major' as const,
    })),
  ),
);

/** Returns the number form that reads most cells, with the cells that decided. */
export function numberFormOf(cells: readonly Cell[]): Guess<NumberForm> {
  const texts = cells.filter((cell) => typeof cell === 'string' && cell.trim() !== '');
  const tried = FORMS.map((form) => {
    const read = numberReader(form);
    return { form, count: texts.filter((text) => typeof read(text) === 'bigint').length };
  });
  const best = tried.reduce((one, other) => (other.count > one.count ? other : one));
  const longest = texts.map(cellText).reduce((one, other) => (other.length > one.length ? other : one), '');
  const why =
    texts.length === 0
      ? 'the amounts are typed numbers'
      : `it reads ${best.count} of ${texts.length} amounts, such as ${JSON.stringify(longest)}`;
  return { value: best.form, why };
}
