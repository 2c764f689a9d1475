import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import { TallyhookError } from '../../domain/error.ts';
import { optionText } from '../../domain/records/advised-word.ts';
import { instantMs } from '../../time/timestamp.ts';
import { textIn, wordIn } from './asked.ts';
import type { Block, Button, Field, FormBlock, Link, Option } from './page.ts';

// Forms that many screens have: the filters of a list, with what an address says of them, and a single button.

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** The two days of an address as bounds in milliseconds, both whole. @throws TallyhookError for a day that is none */
export function daysIn(query: URLSearchParams, zone: string): { readonly sinceMs?: number; readonly untilMs?: number } {
  const [since, until] = [dayIn(query, 'since', zone), dayIn(query, 'until', zone)];
  return {
    ...(since !== undefined && { sinceMs: since }),
    ...(until !== undefined && { untilMs: until + DAY_MS }),
  };
}

function dayIn(query: URLSearchParams, name: string, zone: string): number | undefined {
  const text = textIn(query, name);
  if (text === undefined) return undefined;
  const ms = DAY.test(text) ? instantMs(`${text}T00:00:00`, zone) : null;
  if (ms !== null) return ms;
  throw new TallyhookError(`The field "${name}" is ${JSON.stringify(text)}: that is no day.`, {
    kind: 'usage',
    hint: 'Give a day such as 2026-11-20.',
  });
}

export function environmentIn(query: URLSearchParams): { readonly environment?: Environment } {
  const environment = wordIn(query, 'environment', ENVIRONMENTS);
  return environment === undefined ? {} : { environment };
}

/** A choice of words; the first one is none of them. */
export function choice(query: URLSearchParams, name: string, label: string, words: readonly string[]): Field {
  const options: Option[] = [{ value: '', label: 'all' }, ...asOptions(words)];
  return { type: 'select', name, label, value: query.get(name) ?? '', options };
}

export function environmentField(query: URLSearchParams): Field {
  return choice(query, 'environment', 'Environment', ENVIRONMENTS);
}

export function dayFields(query: URLSearchParams): Field[] {
  return [
    { type: 'date', name: 'since', label: 'From', value: query.get('since') ?? '' },
    { type: 'date', name: 'until', label: 'To', value: query.get('until') ?? '' },
  ];
}

export function textField(query: URLSearchParams, name: string, label: string): Field {
  return { type: 'search', name, label, value: query.get(name) ?? '', maxLength: 255, autocomplete: 'off' };
}

/** What is asked for alone: a filter without a value is none. */
export function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** Words as they may be chosen. */
export function asOptions(words: readonly string[]): Option[] {
  return words.map((word) => ({ value: word, label: word }));
}

/** A button that does one thing, with what the act has to know. */
export function actForm(id: string, action: string, button: Button, fields: readonly Field[] = []): FormBlock {
  return { kind: 'form', id, as: 'act', method: 'POST', action, fields, buttons: [button] };
}

/** What an act would change, and what follows from it. */
export interface Looked {
  readonly text: string;
  readonly next: string;
  /** Where to choose something else. */
  readonly back: Link;
  readonly action: string;
  /** What was chosen, for the act. */
  readonly chosen: readonly Field[];
  readonly button: Button;
  /** Whether anything would change. */
  readonly isAny: boolean;
}

/** The page between choosing and acting: what would change, and the form that does it (`do`). */
export function lookBlocks({ text, next, back, action, chosen, button, isAny }: Looked): Block[] {
  const tone = button.as === 'danger' ? 'warn' : 'quiet';
  const fields: Field[] = [...chosen, { type: 'hidden', name: 'do', value: '1' }];
  return [
    { kind: 'notice', tone, text, next, links: [back] },
    ...(isAny ? [{ kind: 'form', id: 'do', method: 'POST', action, fields, buttons: [button] } as const] : []),
  ];
}

/** Whether the person has seen what would change. */
export function isMeant(form: URLSearchParams): boolean {
  return form.get('do') === '1';
}

/** The form of filters above a list: its fields become the address. */
export function filtersForm(action: string, fields: readonly Field[]): FormBlock {
  return {
    kind: 'form',
    id: 'filters',
    as: 'filters',
    method: 'GET',
    action,
    fields,
    buttons: [{ label: 'Show', as: 'plain' }],
  };
}

/** The options of a command that say the same as an address: ` --environment live --since 2026-11-01`. */
export function optionsOf(query: URLSearchParams, names: readonly string[]): string {
  const options = names.flatMap((name) =>
    query
      .getAll(name)
      .filter((value) => value !== '')
      .map((value) => ` ${optionText(name, value)}`),
  );
  return options.join('');
}
