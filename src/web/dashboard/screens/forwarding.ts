import { TallyhookError } from '../../../domain/error.ts';
import { obstacleOf, obstacleStep, obstacleText } from '../../../domain/forwarding/forward-obstacle.ts';
import { SHOWN_ROW_STATES } from '../../../domain/forwarding/forward-row.ts';
import { maskedBody } from '../../../domain/text/privacy.ts';
import { outboxColumns } from '../../../lists/outbox.ts';
import type { Changed, KnownTarget, OutboxFilter } from '../../../store/outbox.ts';
import { addressOf, textIn, wordsIn } from '../asked.ts';
import { doOrAsk } from '../asking.ts';
import {
  choice,
  dayFields,
  daysIn,
  environmentField,
  environmentIn,
  filtersForm,
  optionsOf,
  textField,
} from '../filters.ts';
import { listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Block, Button, Page, TableBlock } from '../page.ts';
import type { Answer, Context, Redirect, Route } from '../route.ts';
import { wordingIn } from '../wording.ts';

// What does our application have, what is dead?

export const forwardingRoutes: readonly Route[] = [
  { method: 'GET', path: '/forwarding', act: 'read', weight: 'light', handle: list },
  { method: 'POST', path: '/forwarding/retry', act: 'outbox.retry', weight: 'light', handle: retry },
  { method: 'POST', path: '/forwarding/drop', act: 'outbox.drop', weight: 'light', handle: drop },
  { method: 'POST', path: '/forwarding/enable', act: 'target.enable', weight: 'light', handle: enable },
  { method: 'GET', path: '/forwarding/news/:id', act: 'read', weight: 'light', handle: show },
];

/** Rows of one act: as many as a page chooses. */
const MOST_ROWS = 500;

async function list(context: Context): Promise<Page> {
  const { archive, query, may } = context;
  const filter = filterOf(context);
  const found = await pageOfList(
    query,
    (page) => archive.outbox(filter, page),
    () => archive.countOutbox(filter),
    'oldest',
  );
  const targets = await archive.targets();
  const buttons: Button[] = [];
  if (may('outbox.retry')) buttons.push({ label: 'Try the chosen ones again', as: 'plain' });
  if (may('outbox.drop'))
    buttons.push({
      ...{ label: 'Give the chosen ones up', as: 'danger', action: '/forwarding/drop' },
      confirm: 'Your application never gets these. What comes later says that they are missing.',
    });
  const table = listTable(outboxColumns(), found.rows, {
    ...{ id: 'news', caption: 'News for your applications, the oldest first', without: ['Id'], head: 'Reference' },
    links: { Reference: ({ webhookId }) => `/forwarding/news/${encodeURIComponent(webhookId)}` },
    ...(buttons.length > 0 && {
      chooses: { name: 'id' },
      choice: ({ webhookId, type, reference }: (typeof found.rows)[number]) => {
        return { value: webhookId, label: `${type} of ${reference}` };
      },
    }),
    empty: {
      text: targets.length === 0 ? 'No target is configured: nothing is handed on.' : 'No row matches.',
      next: targets.length === 0 ? 'Name your application under forward.targets.' : 'Take a filter away.',
    },
  });
  return {
    title: 'Forwarding',
    question: 'What does our application have, what is dead?',
    commands: [
      `tallyhook outbox list${optionsOf(query, ['target', 'environment', 'state', 'reference', 'since', 'until'])}`,
    ],
    regions: ['forwarding'],
    blocks: [
      targetTable(targets, context),
      ...targets.flatMap((target) => obstacleBlocks(target, context)),
      filtersForm('/forwarding', [
        choice(
          query,
          'target',
          'Target',
          targets.map(({ name }) => name),
        ),
        choice(query, 'state', 'State', SHOWN_ROW_STATES),
        environmentField(query),
        ...dayFields(query),
        textField(query, 'reference', 'Reference'),
      ]),
      buttons.length === 0 || found.rows.length === 0
        ? table
        : {
            kind: 'form',
            id: 'rows',
            method: 'POST',
            action: '/forwarding/retry',
            fields: [],
            blocks: [table],
            buttons,
          },
      pagesBlock('/forwarding', query, found),
    ],
  };
}

function filterOf({ query, config }: Context): OutboxFilter {
  const target = textIn(query, 'target');
  const states = wordsIn(query, 'state', SHOWN_ROW_STATES);
  const reference = textIn(query, 'reference', 255);
  return {
    ...environmentIn(query),
    ...daysIn(query, config.timeZone),
    ...(target !== undefined && { target }),
    ...(states !== undefined && { states }),
    ...(reference !== undefined && { reference }),
  };
}

function targetTable(targets: readonly KnownTarget[], { nowMs }: Context): TableBlock {
  const shown = ['waiting', 'failing', 'dead', 'orphaned'] as const;
  return {
    ...{ kind: 'table', id: 'targets', caption: 'Targets' },
    columns: [
      { name: 'Target', as: 'head' },
      { name: 'State' },
      ...shown.map((state) => ({ name: `${state[0]?.toUpperCase()}${state.slice(1)}`, as: 'figure' as const })),
      { name: 'Oldest that waits', as: 'day' },
    ],
    rows: targets.map((target) => {
      const { name, present, states, oldestOpenAtMs } = target;
      const obstacle = present ? obstacleOf(target, nowMs) : null;
      const is = present ? (obstacle?.is ?? 'takes news') : 'gone from the configuration';
      return {
        cells: [
          { text: name, href: addressOf('/forwarding', { target: name }) },
          { text: is, as: 'status', tone: obstacle === null && present ? 'good' : 'warn' },
          ...shown.map((state) => ({
            count: states[state] ?? 0,
            href: addressOf('/forwarding', { target: name, state }),
          })),
          { ms: oldestOpenAtMs },
        ],
      };
    }),
    empty: { text: 'No target is configured.', next: 'Name your application under forward.targets.' },
  };
}

/** What keeps the news of a target from leaving, and the way to end it. */
function obstacleBlocks(target: KnownTarget, { nowMs, config, may }: Context): Block[] {
  const obstacle = target.present ? obstacleOf(target, nowMs) : null;
  if (obstacle === null) return [];
  const { name } = target;
  const text = `Target ${name} is ${obstacleText(obstacle, wordingIn(config.timeZone).time)}.`;
  const notice: Block = { kind: 'notice', tone: 'warn', text, next: obstacleStep(name, obstacle) };
  if (!may('target.enable')) return [notice];
  const fields = [{ type: 'hidden', name: 'target', value: name }] as const;
  const buttons = [{ label: `Let news leave for ${name} again` }];
  return [
    notice,
    { kind: 'form', id: `enable-${name}`, as: 'act', method: 'POST', action: '/forwarding/enable', fields, buttons },
  ];
}

function chosenIn({ form }: Context): readonly string[] {
  const ids = [...new Set(form.getAll('id'))];
  if (ids.length > 0 && ids.length <= MOST_ROWS) return ids;
  throw new TallyhookError(
    ids.length === 0 ? 'No row is chosen.' : `${ids.length} rows are chosen; ${MOST_ROWS} are taken.`,
    {
      kind: 'usage',
      hint: 'Choose rows in the list, then act.',
    },
  );
}

async function retry(context: Context): Promise<Redirect> {
  const rows = { webhookIds: chosenIn(context) };
  const changed = await context.operations.outbox.retry({ rows, dryRun: false, by: context.visitor.name });
  return { to: '/forwarding', said: saidOf(changed, 'due now') };
}

function drop(context: Context): Promise<Answer> {
  const { operations, visitor } = context;
  const order = { webhookIds: chosenIn(context) };
  return doOrAsk(context, { act: 'outbox.drop', order }, async () => {
    const changed = await operations.outbox.drop({ rows: order, dryRun: false, by: visitor.name });
    return { to: '/forwarding', said: saidOf(changed, 'given up') };
  });
}

function enable(context: Context): Promise<Answer> {
  const { operations, visitor, form } = context;
  const order = { target: form.get('target') ?? '' };
  return doOrAsk(context, { act: 'target.enable', order }, async () => {
    const isKnown = await operations.outbox.enable({ ...order, by: visitor.name });
    return { to: '/forwarding', said: isKnown ? `News leaves for ${order.target} again.` : 'There is no such target.' };
  });
}

function saidOf({ matched, changed, refusals }: Changed, what: string): string {
  const [first] = refusals;
  const why = first === undefined ? '' : ` The first that was not: ${first.reason}.`;
  return `${changed} of ${matched} ${matched === 1 ? 'row is' : 'rows are'} ${what}.${why}`;
}

async function show({ archive, params: { id = '' } }: Context): Promise<Page> {
  const row = await archive.outboxRow(id);
  if (row === null)
    throw new TallyhookError(`There is no news ${id}.`, { kind: 'not_found', hint: 'Find it in the list of news.' });
  const { type, reference, target, state, environment, createdAtMs, dueAtMs, deliveredAtMs, digest, body } = row;
  const blocks: Block[] = [
    {
      kind: 'facts',
      facts: [
        ['id', { text: id, as: 'id' }],
        ['target', target],
        [
          'state',
          { text: state, as: 'status', tone: state === 'delivered' ? 'good' : state === 'dead' ? 'bad' : 'quiet' },
        ],
        ['environment', environment],
        ['written', { ms: createdAtMs }],
        ['due', { ms: state === 'waiting' || state === 'failing' ? dueAtMs : null }],
        ['delivered', { ms: deliveredAtMs }],
        ['sha256 of the body', digest === null ? null : { text: digest, as: 'digest' }],
      ],
    },
    {
      ...{ kind: 'table', id: 'attempts', caption: 'Attempts' },
      columns: [
        { name: 'Nr', as: 'head' },
        { name: 'Began', as: 'day' },
        { name: 'Outcome' },
        { name: 'Status', as: 'figure' },
        { name: 'Detail' },
      ],
      rows: row.attemptsLog.map(({ attempt, startedAtMs, outcome, status, detail }) => ({
        cells: [attempt, { ms: startedAtMs }, outcome ?? 'under way', status, detail],
      })),
      empty: { text: 'None so far.' },
    },
  ];
  if (body !== null)
    blocks.push({ kind: 'body', title: 'Body', text: maskedBody(Buffer.from(body).toString('utf8')), note: 'masked' });
  return {
    title: `${type} of ${reference}`,
    question: 'Did our application take it?',
    commands: [`tallyhook outbox show ${id}`],
    trail: [{ text: 'Forwarding', href: '/forwarding' }],
    blocks,
  };
}
