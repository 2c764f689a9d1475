import { ExceptionSums } from '../../../domain/exceptions/sums.ts';
import { exceptionColumns } from '../../../lists/breaks.ts';
import { queueDay } from '../../../reconcile/exceptions/queue.ts';
import type { Cursor } from '../../../store/cursor.ts';
import type { Exception } from '../../../store/exceptions.ts';
import { addressOf } from '../asked.ts';
import { factsBlock } from '../blocks.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Field, TableBlock } from '../page.ts';
import type { Context } from '../route.ts';
import { askedQueue, filterOf } from './exception-filter.ts';
import { type ActWords, fieldsOf } from './exception-words.ts';

// What is chosen for one act, and what was said of it, on their way through its pages.

/** Exceptions of one act: their ids are in the page, 30 bytes each. */
export const MOST_CHOSEN = 2_000;
/** Rows of a page that shows what is chosen, or why it was refused. */
export const MOST_SHOWN = 20;

export interface Item {
  readonly id: string;
  readonly version: number;
}

export interface Asked {
  readonly words: ActWords;
  readonly items: readonly Item[];
  /** There were more in the list than one act may have. */
  readonly isCut: boolean;
}

/** The chosen rows; with `all` those of the filter as they stand now. */
export async function chosen(context: Context): Promise<{ readonly items: readonly Item[]; readonly isCut: boolean }> {
  const { form, archive, config, nowMs } = context;
  if (form.get('all') === '1') {
    const asked = askedQueue(new URLSearchParams(form.get('filter') ?? ''));
    const filter = filterOf(asked, await queueDay(config, nowMs));
    const { rows, next } = await archive.exceptions(filter, { after: null as Cursor | null, limit: MOST_CHOSEN });
    return { items: rows, isCut: next !== null };
  }
  const texts = [...form.getAll('item'), ...(form.get('items') ?? '').split(' ')];
  const items = new Map<string, Item>();
  for (const text of texts) {
    const [, id, version] = /^(x-[0-9a-f]{24}):(\d{1,9})$/.exec(text) ?? [];
    if (id !== undefined) items.set(id, { id, version: Number(version) });
  }
  return { items: [...items.values()].slice(0, MOST_CHOSEN), isCut: items.size > MOST_CHOSEN };
}

/** The list that the rows were chosen from. */
export function listAddress(form: URLSearchParams): string {
  return addressOf('/exceptions', new URLSearchParams(form.get('filter') ?? ''));
}

/** What each form carries on: what is chosen, and the list that it was chosen from. */
export function carried(form: URLSearchParams, items: readonly Item[]): Field[] {
  return [
    { type: 'hidden', name: 'items', value: items.map(({ id, version }) => `${id}:${version}`).join(' ') },
    { type: 'hidden', name: 'filter', value: form.get('filter') ?? '' },
  ];
}

export async function exceptionsOf({ archive }: Context, items: readonly Item[]): Promise<Exception[]> {
  const found: Exception[] = [];
  for (const { id } of items) {
    const one = await archive.exception(id);
    if (one !== null) found.push(one);
  }
  return found;
}

export function sumsFacts(rows: readonly Exception[]): Block {
  const sums = new ExceptionSums();
  for (const one of rows) sums.add(one);
  return factsBlock(
    sums
      .totals()
      .flatMap(({ currency, count, variance, effect }) => [
        [`Chosen in ${currency ?? 'no currency'}`, { count }] as const,
        ['Variance together', { amount: variance, currency, as: 'effect' }] as const,
        ['Effect together', { amount: effect, currency, as: 'effect' }] as const,
      ]),
  );
}

export async function rowsTable({ config, nowMs }: Context, rows: readonly Exception[]): Promise<TableBlock> {
  return listTable(exceptionColumns(await queueDay(config, nowMs)), rows, {
    ...{ id: 'chosen', caption: 'What is chosen', head: 'About', beside: { About: 'Code', Effect: 'Currency' } },
    ...{ without: ['Id', 'Env', 'Account', 'Days', 'Why'], most: MOST_SHOWN },
    links: { About: ({ id }) => `/exceptions/${id}` },
    empty: {
      text: 'None of them is there any more.',
      next: 'Choose again from the list.',
      links: [{ text: 'Exceptions', href: '/exceptions' }],
    },
  });
}

/** What was said, as the last form carries it. */
export function hiddenWords({ form, config }: Context, { name }: ActWords): Field[] {
  return fieldsOf(name, form, config.exceptions.reasons).flatMap((field): Field[] => {
    if (field.type === 'hidden') return [field];
    const value = form.get(field.name);
    return value === null || field.type === 'file' ? [] : [{ type: 'hidden', name: field.name, value }];
  });
}

export function saidFacts({ form, config }: Context, { words }: Asked): Block {
  const facts = fieldsOf(words.name, form, config.exceptions.reasons).flatMap((field) => {
    if (field.type === 'hidden' || field.type === 'file') return [];
    const value = form.get(field.name)?.trim() ?? '';
    const label = field.type === 'select' ? field.options.find((one) => one.value === value)?.label : value;
    return value === '' ? [] : [[field.label, { text: label ?? value, as: 'long' }] as const];
  });
  return factsBlock(facts);
}
