import { id, type ListColumn, text } from '../../../lists/column.ts';
import { RETRY_REFUSAL_WORDS } from '../../../lists/outbox.ts';
import type { Changed } from '../../../store/outbox.ts';
import { there } from '../asked.ts';
import { doOrAsk } from '../asking.ts';
import { isMeant, lookBlocks } from '../forms.ts';
import { listTable } from '../list-blocks.ts';
import type { Button, Page, TableBlock } from '../page.ts';
import { type Answer, type Context, lightForm, type Redirect, type Route } from '../route.ts';
import { backTo, chosenIn, newsAddress } from './forwarding-choice.ts';

// What a person does about news: first it is looked at what would change, then it is done.

export const forwardingActRoutes: readonly Route[] = [
  lightForm('/forwarding/retry', 'outbox.retry', retry),
  lightForm('/forwarding/drop', 'outbox.drop', drop),
  lightForm('/forwarding/enable', 'target.enable', enable),
];

/** Rows that a page shows of those that would not change. */
const MOST_SHOWN = 20;

interface ActWords {
  readonly path: string;
  /** `3 of 4 rows would be due now.` */
  readonly done: string;
  readonly button: Button;
  readonly consequence: string;
}

const RETRY: ActWords = {
  ...{ path: '/forwarding/retry', done: 'due now', button: { label: 'Try them again' } },
  ...{ consequence: 'Each is sent once more with the same bytes, as soon as its target takes news.' },
};
const DROP: ActWords = {
  ...{ path: '/forwarding/drop', done: 'given up', button: { label: 'Give them up', as: 'danger' } },
  consequence: 'Your application never gets these. What comes later says that they are missing.',
};

async function retry(context: Context): Promise<Answer> {
  const { outbox } = context.operations;
  const by = context.visitor.name;
  const webhookIds = await chosenIn(context);
  if (!isMeant(context.form))
    return lookPage(context, RETRY, webhookIds, await outbox.retry({ ...trial({ webhookIds }), by }));
  const changed = await outbox.retry({ rows: { webhookIds }, dryRun: false, by });
  return { to: backTo(context), said: saidOf(changed, RETRY) };
}

async function drop(context: Context): Promise<Answer> {
  const { operations, visitor } = context;
  const by = visitor.name;
  const order = { webhookIds: await chosenIn(context) };
  if (!isMeant(context.form))
    return lookPage(context, DROP, order.webhookIds, await operations.outbox.drop({ ...trial(order), by }));
  return doOrAsk(context, { act: 'outbox.drop', order }, async () => {
    const changed = await operations.outbox.drop({ rows: order, dryRun: false, by });
    return { to: backTo(context), said: saidOf(changed, DROP) };
  });
}

function enable(context: Context): Promise<Answer> {
  const { operations, visitor, form } = context;
  const order = { target: form.get('target') ?? '' };
  return doOrAsk(context, { act: 'target.enable', order }, async (): Promise<Redirect> => {
    const isKnown = await operations.outbox.enable({ ...order, by: visitor.name });
    there(isKnown || null, `target ${JSON.stringify(order.target)}`, '/forwarding');
    return { to: '/forwarding', said: `News leaves for ${order.target} again.` };
  });
}

function trial(rows: { readonly webhookIds: readonly string[] }) {
  return { rows, dryRun: true };
}

/** What would change, and the button that does it. */
function lookPage(context: Context, words: ActWords, ids: readonly string[], changed: Changed): Page {
  const { form } = context;
  const { path, done, button, consequence } = words;
  const back = backTo(context);
  const would = `${changed.changed} of ${changed.matched} ${changed.matched === 1 ? 'row' : 'rows'} would be ${done}.`;
  return {
    ...{
      title: `${button.label}?`,
      question: 'What would change?',
      commands: [`tallyhook outbox ${path.split('/').at(-1)} ID --dry-run`],
    },
    trail: [{ text: 'Forwarding', href: back }],
    blocks: [
      ...lookBlocks({
        ...{ text: would, next: consequence, back: { text: 'Back to the list', href: back }, action: path, button },
        chosen: [
          { type: 'hidden', name: 'id', value: ids.join(' ') },
          { type: 'hidden', name: 'filter', value: form.get('filter') ?? '' },
        ],
        isAny: changed.changed > 0,
      }),
      ...(changed.refusals.length === 0 ? [] : [refusedTable(changed.refusals)]),
    ],
  };
}

const REFUSED_COLUMNS: readonly ListColumn<Changed['refusals'][number]>[] = [
  id('Row', ({ webhookId }) => webhookId),
  text('Why', ({ reason }) => (reason === 'unknown' ? 'there is no such row' : RETRY_REFUSAL_WORDS[reason])),
];

function refusedTable(refusals: Changed['refusals']): TableBlock {
  return listTable(REFUSED_COLUMNS, refusals, {
    ...{ id: 'refused', caption: 'Those that would stay as they are', most: MOST_SHOWN, empty: null },
    links: { Row: ({ webhookId }) => newsAddress(webhookId) },
  });
}

function saidOf({ matched, changed }: Changed, { done }: ActWords): string {
  return `${changed} of ${matched} ${matched === 1 ? 'row' : 'rows'} ${changed === 1 ? 'is' : 'are'} ${done}.`;
}
