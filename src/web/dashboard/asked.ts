import { TallyhookError } from '../../domain/error.ts';
import { parseAmount } from '../../domain/money/amount.ts';
import { type DayRange, periodOf } from '../../domain/periods/period.ts';

/*
 * What an address or a form asks. A filter that means nothing is refused in plain words, and never left out: a list without it would
 * show other rows than the person asked for.
 */

/** Characters of a text that a person may send; a comment of the command line has no more. */
const MOST_CHARACTERS = 1_000;

/** The text of a field, trimmed, in Unicode's composed form; undefined: it is empty or missing. @throws TallyhookError when it is too long */
export function textIn(asked: URLSearchParams, name: string, most = MOST_CHARACTERS): string | undefined {
  const text = asked.get(name)?.normalize('NFC').trim() ?? '';
  if (text.length > most) {
    const message = `${labelOf(name)} has ${text.length} characters; ${most} are allowed.`;
    throw new TallyhookError(message, { kind: 'usage', hint: 'Shorten it.' });
  }
  return text === '' ? undefined : text;
}

/** One of some words. @throws TallyhookError for another one */
export function wordIn<Word extends string>(
  asked: URLSearchParams,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = textIn(asked, name);
  return text === undefined ? undefined : wordOf(text, name, words);
}

/** Some of the words; undefined: the field is missing. @throws TallyhookError for another one */
export function wordsIn<Word extends string>(
  asked: URLSearchParams,
  name: string,
  words: readonly Word[],
): readonly Word[] | undefined {
  const texts = [...new Set(asked.getAll(name).filter((text) => text !== ''))];
  return texts.length === 0 ? undefined : texts.map((text) => wordOf(text, name, words));
}

/** A month or days. @throws TallyhookError when it is none */
export function periodIn(asked: URLSearchParams, name: string): (DayRange & { readonly name: string }) | undefined {
  const text = textIn(asked, name);
  const period = text === undefined ? undefined : periodOf(text);
  if (period === null)
    throw meaningless(name, text ?? '', 'Give a month such as 2026-10, or days such as 2026-10-01..2026-10-15.');
  return period;
}

/** An amount as a person writes it: `1234.50`. @throws TallyhookError when it is none */
export function amountIn(asked: URLSearchParams, name: string) {
  const text = textIn(asked, name);
  if (text === undefined) return undefined;
  try {
    return parseAmount(text);
  } catch (error) {
    if (!(error instanceof TallyhookError)) throw error;
    throw meaningless(name, text, 'Write it as 1234.50, without groups.');
  }
}

/** A whole number from 1. @throws TallyhookError when it is none */
export function numberIn(asked: URLSearchParams, name: string): number | undefined {
  const text = textIn(asked, name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw meaningless(name, text, 'Give a whole number from 1.');
}

/** The number of a row, as an address or a form has it; null: it is none. */
export function rowNumber(text = ''): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** What an address names. `list`: the address of those that are there. @throws TallyhookError when it is not there */
export function there<Found>(found: Found | null | undefined, what: string, list: string): Found {
  if (found != null) return found;
  throw new TallyhookError(`There is no ${what}.`, {
    kind: 'not_found',
    hint: `The list has those that are there: ${list}`,
  });
}

/** The row with the number that an address names. @throws TallyhookError when there is none */
export async function rowNamed<Row>(
  text: string | undefined,
  { what, list }: { readonly what: string; readonly list: string },
  read: (id: number) => Promise<Row | null>,
): Promise<Row> {
  const id = rowNumber(text);
  return there(id === null ? null : await read(id), `${what} ${text}`, list);
}

/** The numbers of the rows that were chosen in a form. */
export function rowNumbersIn(form: URLSearchParams, name: string): number[] {
  return form.getAll(name).flatMap((text) => rowNumber(text) ?? []);
}

/** Such an address, with what is asked behind `?`; undefined and empty ones are left out. */
export function addressOf(path: string, asked: Readonly<Record<string, Asked>> | URLSearchParams = {}): string {
  const query =
    asked instanceof URLSearchParams
      ? asked
      : new URLSearchParams(
          Object.entries(asked).flatMap(([name, value]): [string, string][] =>
            [value]
              .flat()
              .filter((one) => one !== undefined && one !== '')
              .map((one): [string, string] => [name, String(one)]),
          ),
        );
  return query.size === 0 ? path : `${path}?${query}`;
}

type Asked = string | number | undefined | readonly string[];

function wordOf<Word extends string>(text: string, name: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw meaningless(name, text, `Give one of: ${words.join(', ')}.`);
}

function meaningless(name: string, text: string, hint: string): TallyhookError {
  return new TallyhookError(`${labelOf(name)} is ${JSON.stringify(text)}: that means nothing here.`, {
    kind: 'usage',
    hint,
  });
}

/** `reasonCode` as `The field "reason code"` */
function labelOf(name: string): string {
  return `The field "${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}"`;
}
