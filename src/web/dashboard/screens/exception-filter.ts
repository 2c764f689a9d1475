import { EXCEPTION_STATES } from '../../../domain/exceptions/words.ts';
import { BREAK_CODES } from '../../../domain/reconciling/break.ts';
import { AGE_BUCKETS } from '../../../domain/records/settling-age.ts';
import { type QueueDay, queueFilter } from '../../../reconcile/exceptions/queue.ts';
import { ageName } from '../../../reconcile/report/words.ts';
import type { ExceptionFilter } from '../../../store/exceptions.ts';
import { addressOf } from '../asked.ts';
import { foldBlock, linksBlock } from '../blocks.ts';
import {
  type Asked,
  amount,
  askedIn,
  ENVIRONMENT,
  filtersForm,
  flag,
  hidden,
  optionsOf,
  period,
  text,
  word,
  words,
} from '../filters.ts';
import type { Block } from '../page.ts';

// The filter of the queue: as the address has it, as a form, as the looks that are one click away, and as the command.

export const COMMAND = 'tallyhook exceptions list';

export const QUEUE_FILTERS = {
  status: hidden(words('Status', EXCEPTION_STATES), 'value'),
  code: words('Kind', BREAK_CODES),
  reference: text('Reference'),
  account: text('Account'),
  currency: text('Currency'),
  assignee: text('Assignee (- for none)'),
  age: word('Age', AGE_BUCKETS),
  period: period('Period (2026-10)'),
  minValue: amount('From amount'),
  maxValue: amount('To amount'),
  ...ENVIRONMENT,
  leg: hidden(text('Leg'), 'value'),
  overdue: hidden(flag('Overdue'), 'flag'),
  unresolved: hidden(word('Unresolved', ['0', '1'])),
};

/** What the address asks of the queue. */
export interface AskedQueue extends Asked<typeof QUEUE_FILTERS> {
  /** Those that are neither resolved (and approved, where that is needed) nor closed. */
  readonly isUnresolved: boolean;
}

/** @throws TallyhookError for a filter that means nothing */
export function askedQueue(query: URLSearchParams): AskedQueue {
  const asked = askedIn(QUEUE_FILTERS, query, 'UTC'); // no filter of the queue is a time
  const { unresolved, status, overdue } = asked;
  // Without a word on states it is what waits for a decision; `unresolved=0` asks for the others, too.
  const isUnresolved = unresolved === undefined ? status === undefined && overdue === undefined : unresolved === '1';
  return { ...asked, isUnresolved };
}

export function filterOf(
  { isUnresolved, overdue, ...asked }: AskedQueue,
  { today, bounds }: QueueDay,
): ExceptionFilter {
  return {
    ...queueFilter(asked, today),
    ...(overdue === true && { overdue: bounds }),
    ...(isUnresolved && { unresolved: true }),
  };
}

/** The filter of an address without its place in the list. */
export function filterQuery(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(query);
  kept.delete('after');
  for (const [name, value] of [...kept]) if (value === '') kept.delete(name, value);
  return kept;
}

/** The usual looks at the queue: each keeps the other conditions of the address. */
export function views(kept: URLSearchParams): Block {
  const looks = [
    { text: 'To decide', set: {} },
    { text: 'Wait for a second person', set: { unresolved: '1', status: 'resolved' } },
    { text: 'Overdue', set: { overdue: '1' } },
    { text: 'All but closed', set: { unresolved: '0' } },
    { text: 'Closed', set: { status: 'closed' } },
  ] as const;
  const ofLook = (from: URLSearchParams) =>
    ['unresolved', 'status', 'overdue'].flatMap((name) => from.getAll(name).map((value) => `${name}=${value}`)).join();
  return linksBlock(
    'Looks at the queue',
    looks.map(({ text, set }) => {
      const asked = new URLSearchParams(kept);
      for (const name of ['unresolved', 'status', 'overdue']) asked.delete(name);
      for (const [name, value] of Object.entries(set)) asked.append(name, value);
      return { text, href: addressOf('/exceptions', asked), isCurrent: ofLook(asked) === ofLook(kept) };
    }),
  );
}

export function filters(kept: URLSearchParams, problem?: string): Block {
  const ages = AGE_BUCKETS.map((age) => ({ value: age, label: ageName(age) }));
  const form = filtersForm('/exceptions', QUEUE_FILTERS, kept, {
    age: {
      ...{ type: 'select', name: 'age', label: 'Age', value: kept.get('age') ?? '' },
      options: [{ value: '', label: 'all' }, ...ages],
    },
  });
  const isSet = form.fields.some((field) => field.type !== 'hidden' && 'value' in field && Boolean(field.value));
  return foldBlock('Filter', [{ ...form, problem }], { id: 'filter', isOpen: isSet || problem !== undefined });
}

/** The command that lists the same; where it has no such look, the closest one. */
export function commandText(query: URLSearchParams): string {
  const { isUnresolved, status } = askedQueue(query);
  const open = isUnresolved && status === undefined ? ' --status open --status reopened --status assigned' : '';
  return `${COMMAND}${open}${optionsOf(QUEUE_FILTERS, query)}`;
}
