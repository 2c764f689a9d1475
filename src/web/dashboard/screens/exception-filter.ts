import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { EXCEPTION_STATES } from '../../../domain/exceptions/words.ts';
import { BREAK_CODES, type BreakCode } from '../../../domain/reconciling/break.ts';
import { optionText } from '../../../domain/records/advised-word.ts';
import { AGE_BUCKETS } from '../../../domain/records/settling-age.ts';
import { type AskedExceptions, type QueueDay, queueFilter } from '../../../reconcile/exceptions/queue.ts';
import { ageName } from '../../../reconcile/report/words.ts';
import type { ExceptionFilter } from '../../../store/exceptions.ts';
import { addressOf, amountIn, periodIn, textIn, wordIn, wordsIn } from '../asked.ts';
import { choice, environmentField, filtersForm, textField } from '../forms.ts';
import type { Block, Field } from '../page.ts';

// The filter of the queue: as the address has it, as a form, as the looks that are one click away, and as the command.

export const COMMAND = 'tallyhook exceptions list';

/** What the address asks of the queue. */
export interface AskedQueue extends AskedExceptions {
  readonly period: ReturnType<typeof periodIn>;
  readonly isOverdue: boolean;
  /** Those that are neither resolved (and approved, where that is needed) nor closed. */
  readonly isUnresolved: boolean;
}

/** @throws TallyhookError for a filter that means nothing */
export function askedQueue(query: URLSearchParams): AskedQueue {
  return {
    environment: wordIn(query, 'environment', ENVIRONMENTS),
    reference: textIn(query, 'reference'),
    status: wordsIn(query, 'status', EXCEPTION_STATES),
    code: wordsIn(query, 'code', BREAK_CODES),
    leg: textIn(query, 'leg'),
    account: textIn(query, 'account'),
    currency: textIn(query, 'currency'),
    assignee: textIn(query, 'assignee'),
    age: wordIn(query, 'age', AGE_BUCKETS),
    period: periodIn(query, 'period'),
    minValue: amountIn(query, 'minValue'),
    maxValue: amountIn(query, 'maxValue'),
    isOverdue: query.get('overdue') === '1',
    // Without a word on states it is what waits for a decision; `unresolved=0` asks for the others, too.
    isUnresolved:
      query.get('unresolved') === '1' || !['unresolved', 'status', 'overdue'].some((name) => query.has(name)),
  };
}

export function filterOf(asked: AskedQueue, { today, bounds }: QueueDay): ExceptionFilter {
  return {
    ...queueFilter(asked, today),
    ...(asked.isOverdue && { overdue: bounds }),
    ...(asked.isUnresolved && { unresolved: true }),
  };
}

/** The filter of an address without its place in the list. */
export function filterQuery(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(query);
  for (const name of ['after', 'token']) kept.delete(name);
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
  return {
    ...{ kind: 'links', label: 'Looks at the queue' },
    links: looks.map(({ text, set }) => {
      const asked = new URLSearchParams(kept);
      for (const name of ['unresolved', 'status', 'overdue']) asked.delete(name);
      for (const [name, value] of Object.entries(set)) asked.append(name, value);
      return { text, href: addressOf('/exceptions', asked), isCurrent: ofLook(asked) === ofLook(kept) };
    }),
  };
}

export function filters(kept: URLSearchParams, problem?: string): Block {
  const text = (name: string, label: string): Field => ({ type: 'text', name, label, value: kept.get(name) ?? '' });
  const fields: Field[] = [
    choice(kept, 'code', 'Kind', BREAK_CODES),
    textField(kept, 'reference', 'Reference'),
    text('account', 'Account'),
    text('currency', 'Currency'),
    text('assignee', 'Assignee (- for none)'),
    {
      ...{ type: 'select', name: 'age', label: 'Age', value: kept.get('age') ?? '' },
      options: [{ value: '', label: 'all' }, ...AGE_BUCKETS.map((age) => ({ value: age, label: ageName(age) }))],
    },
    text('period', 'Period (2026-10)'),
    text('minValue', 'From amount'),
    text('maxValue', 'To amount'),
    environmentField(kept),
  ];
  const isSet = fields.some((field) => 'value' in field && Boolean(field.value));
  const looks = ['status', 'unresolved', 'overdue', 'leg'].flatMap((name) =>
    kept.getAll(name).map((value): Field => ({ type: 'hidden', name, value })),
  );
  const form = { ...filtersForm('/exceptions', [...fields, ...looks]), problem };
  return { kind: 'fold', id: 'filter', title: 'Filter', isOpen: isSet || problem !== undefined, blocks: [form] };
}

/** The command that lists the same; where it has no such look, the closest one. */
export function commandText(asked: AskedQueue): string {
  const options: [string, string | undefined][] = [
    ...(asked.status ?? (asked.isUnresolved ? (['open', 'reopened', 'assigned'] as const) : [])).map(
      (one): [string, string] => ['status', one],
    ),
    ...(asked.code ?? []).map((one: BreakCode): [string, string] => ['code', one]),
    ...(['environment', 'reference', 'leg', 'account', 'currency', 'assignee', 'age'] as const).map(
      (name): [string, string | undefined] => [name, asked[name]],
    ),
    ['period', asked.period?.name],
  ];
  const said = options.flatMap(([name, value]) => (value === undefined ? [] : [optionText(name, value)]));
  return [COMMAND, ...said, ...(asked.isOverdue ? ['--overdue'] : [])].join(' ');
}
