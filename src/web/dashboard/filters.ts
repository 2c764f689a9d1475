import { didYouMean } from '../../config/did-you-mean.ts';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { TallyhookError } from '../../domain/error.ts';
import type { Amount } from '../../domain/money/amount.ts';
import { optionText } from '../../domain/records/advised-word.ts';
import { DAY_MS } from '../../time/clock.ts';
import { instantMs } from '../../time/timestamp.ts';
import { amountIn, numberIn, periodIn, textIn, wordIn, wordsIn } from './asked.ts';
import { getForm } from './blocks.ts';
import { asOptions, given } from './forms.ts';
import type { Empty, Field, FormBlock } from './page.ts';

/*
 * What the address of a screen may ask, defined once by name: how the text is read, the field of the form, and the option of the command.
 * A name that the route does not define is refused, as an unknown option of a command is.
 */

/** One name of an address. */
export interface Filter<Value = unknown> {
  /** @throws TallyhookError for a text that means nothing */
  readonly read: (asked: URLSearchParams, name: string, zone: string) => Value | undefined;
  /** Its field in the form; null: it stands in the address alone. */
  readonly field: ((name: string, asked: URLSearchParams) => Field) | null;
  /** How the command says it: `--name VALUE`, `--name`, or not at all. */
  readonly option: 'value' | 'flag' | 'none';
  /** Whether an address may name it more than once; each counts. */
  readonly isMany?: true;
}

export type Filters = Readonly<Record<string, Filter>>;
export type Asked<Of extends Filters> = {
  readonly [Name in keyof Of]?: Of[Name] extends Filter<infer Value> ? Value : never;
};

/** One of some words. */
export function word<Word extends string>(label: string, words: readonly Word[]): Filter<Word> {
  return { read: (asked, name) => wordIn(asked, name, words), field: choiceField(label, words), option: 'value' };
}

/** Some of the words. */
export function words<Word extends string>(label: string, all: readonly Word[]): Filter<readonly Word[]> {
  const read = (asked: URLSearchParams, name: string) => wordsIn(asked, name, all);
  return { read, field: choiceField(label, all), option: 'value', isMany: true };
}

export function text(label: string, most?: number): Filter<string> {
  return { read: (asked, name) => textIn(asked, name, most), field: searchField(label), option: 'value' };
}

export function number(label: string): Filter<number> {
  const field = (name: string, asked: URLSearchParams): Field => {
    return { type: 'number', name, label, value: asked.get(name) ?? '' };
  };
  return { read: numberIn, field, option: 'value' };
}

export function amount(label: string): Filter<Amount> {
  return { read: amountIn, field: searchField(label), option: 'value' };
}

/** A month, or days. */
export function period(label: string): Filter<NonNullable<ReturnType<typeof periodIn>>> {
  return { read: periodIn, field: searchField(label), option: 'value' };
}

/** Set or not. */
export function flag(label: string): Filter<true> {
  return {
    read: (asked, name) => (wordIn(asked, name, ['yes', '1']) === undefined ? undefined : true),
    field: (name, asked) => ({ type: 'checkbox', name, label, value: 'yes', checked: asked.get(name) !== null }),
    option: 'flag',
  };
}

/** Of the address alone: such as the place in a list, or a look that a link leads to. */
export function hidden<Value>(filter: Filter<Value>, option: Filter['option'] = 'none'): Filter<Value> {
  return { ...filter, field: null, option };
}

export const ENVIRONMENT = { environment: word('Environment', ENVIRONMENTS) };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Two days as bounds in milliseconds, both whole. */
export const DAYS = { since: day('From', 0), until: day('To', DAY_MS) };

/** The place in a list that is paged by ids. */
export const AFTER = { after: hidden(number('After')) };

function day(label: string, addedMs: number): Filter<number> {
  return {
    read(asked, name, zone) {
      const said = textIn(asked, name);
      if (said === undefined) return undefined;
      const ms = DAY.test(said) ? instantMs(`${said}T00:00:00`, zone) : null;
      if (ms !== null) return ms + addedMs;
      throw new TallyhookError(`The field "${name}" is ${JSON.stringify(said)}: that is no day.`, {
        kind: 'usage',
        hint: 'Give a day such as 2026-11-20.',
      });
    },
    field: (name, asked) => ({ type: 'date', name, label, value: asked.get(name) ?? '' }),
    option: 'value',
  };
}

function choiceField(label: string, all: readonly string[]) {
  return (name: string, asked: URLSearchParams): Field => ({
    ...{ type: 'select', name, label, value: asked.get(name) ?? '' },
    options: [{ value: '', label: 'all' }, ...asOptions(all)],
  });
}

function searchField(label: string) {
  return (name: string, asked: URLSearchParams): Field => {
    return { type: 'search', name, label, value: asked.get(name) ?? '', maxLength: 255, autocomplete: 'off' };
  };
}

/** What an address or a form asks; what it does not is missing. @throws TallyhookError for a text that means nothing */
export function askedIn<const Of extends Filters>(filters: Of, asked: URLSearchParams, zone: string): Asked<Of> {
  const values = Object.entries(filters).map(([name, { read }]) => [name, read(asked, name, zone)] as const);
  return given(Object.fromEntries(values)) as Asked<Of>;
}

/** The bounds of `DAYS`, as the port has them. @throws TallyhookError where they are not in order, as the options of a command */
export function boundsOf({
  since,
  until,
}: {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}) {
  if (since !== undefined && until !== undefined && since >= until)
    throw new TallyhookError('The field "since" is after "until": nothing lies between them.', {
      kind: 'usage',
      hint: 'Give two days in order, such as 2026-10-01 and 2026-10-31.',
    });
  return given({ sinceMs: since, untilMs: until });
}

/** @throws TallyhookError for a name that the route does not define, or reads once: the page would show other rows than the person asked for */
export function refuseUnknown(filters: Filters, asked: URLSearchParams): void {
  const names = Object.keys(filters);
  for (const name of asked.keys()) {
    if (Object.hasOwn(filters, name)) {
      if (filters[name]?.isMany || asked.getAll(name).length === 1) continue;
      const hint = 'Leave one of them away.';
      throw new TallyhookError(`The address asks ${JSON.stringify(name)} twice.`, { kind: 'usage', hint });
    }
    const near = didYouMean(name, names);
    const known = names.length === 0 ? 'This page has none.' : `This page knows: ${names.join(', ')}.`;
    throw new TallyhookError(`The address asks ${JSON.stringify(name)}: there is no such filter here.`, {
      kind: 'usage',
      hint: near === undefined ? known : `Did you mean ${near}?`,
    });
  }
}

/** The form above a list: its fields become the address. `others`: fields whose choices are known with the rows alone. */
export function filtersForm(
  action: string,
  filters: Filters,
  asked: URLSearchParams,
  others: Readonly<Record<string, Field>> = {},
): FormBlock {
  const fields = Object.entries(filters).flatMap(([name, { field }]): Field | Field[] => {
    if (others[name] !== undefined) return others[name];
    if (field !== null) return field(name, asked);
    return asked.getAll(name).map((value) => ({ type: 'hidden', name, value }));
  });
  return getForm('filters', action, { fields, buttons: [{ label: 'Show', as: 'plain' }] });
}

/** What an empty list says: `none` where nothing is asked, else that no row matches. */
export function emptyFor(asked: URLSearchParams, none: Empty, matching: string): Empty {
  return asked.size === 0 ? none : { text: matching, next: 'Take a filter away.' };
}

/** The options of a command that say the same as an address: ` --environment live --since 2026-11-01 --closed`. */
export function optionsOf(filters: Filters, asked: URLSearchParams): string {
  return Object.entries(filters)
    .flatMap(([name, { option }]) => {
      const said = option === 'none' ? [] : asked.getAll(name).filter((value) => value !== '');
      const spelt = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return said.map((value) => (option === 'flag' ? ` --${spelt}` : ` ${optionText(spelt, value)}`));
    })
    .join('');
}
