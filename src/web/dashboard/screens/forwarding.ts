import { obstacleOf, obstacleStep, obstacleText } from '../../../domain/forwarding/forward-obstacle.ts';
import { maskedBody } from '../../../domain/text/privacy.ts';
import { count, status, text, time } from '../../../lists/column.ts';
import { attemptColumns, outboxColumns, outboxFacts } from '../../../lists/outbox.ts';
import type { KnownTarget } from '../../../store/outbox.ts';
import { addressOf, there } from '../asked.ts';
import { factsBlock, linksBlock, noticeBlock, postForm } from '../blocks.ts';
import { AFTER, emptyFor, filtersForm, optionsOf, word } from '../filters.ts';
import { actForm } from '../forms.ts';
import { factsOf, listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Block, Button, Page, TableBlock } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';
import { wordingIn } from '../wording.ts';
import { choiceFields, newsAddress, OUTBOX_FILTERS, outboxFilterIn } from './forwarding-choice.ts';

// What does our application have, what is dead?

export const forwardingRoutes: readonly Route[] = [
  lightPage('/forwarding', 'read', list, { ...OUTBOX_FILTERS, ...AFTER }),
  lightPage('/forwarding/news/:id', 'read', show),
];

async function list(context: Context): Promise<Page> {
  const { archive, query, may, config } = context;
  const filter = outboxFilterIn(query, config.timeZone);
  const found = await pageOfList(
    query,
    (page) => archive.outbox(filter, page),
    () => archive.countOutbox(filter),
    'oldest',
  );
  const targets = await archive.targets();
  const names = targets.map(({ name }) => name);
  const buttons: Button[] = [];
  if (may('outbox.retry')) buttons.push({ label: 'Try the chosen ones again', as: 'plain' });
  if (may('outbox.drop')) buttons.push({ label: 'Give the chosen ones up', as: 'danger', action: '/forwarding/drop' });
  const table = listTable(outboxColumns(), found.rows, {
    ...{ id: 'news', caption: 'News for your applications, the oldest first', without: ['Id'], head: 'Reference' },
    links: { Reference: ({ webhookId }) => newsAddress(webhookId) },
    ...(buttons.length > 0 && {
      chooses: { name: 'id' },
      choice: ({ webhookId, type, reference }: (typeof found.rows)[number]) => {
        return { value: webhookId, label: `${type} of ${reference}` };
      },
    }),
    empty:
      targets.length === 0
        ? {
            text: 'No target is configured: nothing is handed on.',
            next: 'Name your application under forward.targets.',
          }
        : emptyFor(
            query,
            { text: 'No news was written yet.', next: 'It comes with the next event that a target selects.' },
            'No row matches.',
          ),
  });
  return {
    title: 'Forwarding',
    question: 'What does our application have, what is dead?',
    commands: [`tallyhook outbox list${optionsOf(OUTBOX_FILTERS, query)}`],
    regions: ['forwarding'],
    blocks: [
      targetTable(targets, context),
      ...targets.flatMap((target) => obstacleBlocks(target, context)),
      filtersForm('/forwarding', { ...OUTBOX_FILTERS, target: word('Target', names) }, query),
      buttons.length === 0 || found.rows.length === 0
        ? table
        : postForm('rows', '/forwarding/retry', {
            fields: choiceFields(query, found.total),
            blocks: [table],
            buttons,
            note: 'What would change is shown first.',
          }),
      pagesBlock('/forwarding', query, found),
      ...(may('replay') && targets.length > 0 ? [REPLAY] : []),
    ],
  };
}

const REPLAY: Block = linksBlock('What can be done', [{ text: 'Hand news on again', href: '/forwarding/replay' }]);

/** Columns of a target, each with the state of the rows that it counts. */
const COUNTED = { Waiting: 'waiting', Failing: 'failing', Dead: 'dead', Orphaned: 'orphaned' } as const;

function targetTable(targets: readonly KnownTarget[], { nowMs }: Context): TableBlock {
  const isOf = (target: KnownTarget) =>
    target.present ? (obstacleOf(target, nowMs)?.is ?? 'takes news') : 'gone from the configuration';
  const columns = [
    text<KnownTarget>('Target', ({ name }) => name),
    status<KnownTarget>('State', isOf, { mark: (target) => (isOf(target) === 'takes news' ? 'good' : 'warn') }),
    ...Object.entries(COUNTED).map(([name, state]) => count<KnownTarget>(name, ({ states }) => states[state] ?? 0)),
    time<KnownTarget>('Oldest that waits', ({ oldestOpenAtMs }) => oldestOpenAtMs),
  ];
  const links = Object.entries(COUNTED).map(
    ([name, state]) =>
      [name, (target: KnownTarget) => addressOf('/forwarding', { target: target.name, state })] as const,
  );
  return listTable(columns, targets, {
    ...{ id: 'targets', caption: 'Targets' },
    links: { Target: ({ name }) => addressOf('/forwarding', { target: name }), ...Object.fromEntries(links) },
    empty: { text: 'No target is configured.', next: 'Name your application under forward.targets.' },
  });
}

/** What keeps the news of a target from leaving, and the way to end it. */
function obstacleBlocks(target: KnownTarget, { nowMs, config, may }: Context): Block[] {
  const obstacle = target.present ? obstacleOf(target, nowMs) : null;
  if (obstacle === null) return [];
  const { name } = target;
  const text = `Target ${name} is ${obstacleText(obstacle, wordingIn(config.timeZone).time)}.`;
  const notice: Block = noticeBlock('warn', text, { next: obstacleStep(name, obstacle) });
  if (!may('target.enable')) return [notice];
  const button = { label: `Let news leave for ${name} again` };
  return [
    notice,
    actForm(`enable-${name}`, '/forwarding/enable', button, [{ type: 'hidden', name: 'target', value: name }]),
  ];
}

async function show({ archive, config, params: { id = '' } }: Context): Promise<Page> {
  const row = there(await archive.outboxRow(id), `news ${id}`, '/forwarding');
  const { type, reference, body } = row;
  const blocks: Block[] = [
    factsBlock(factsOf(outboxFacts(wordingIn(config.timeZone).time), row)),
    listTable(attemptColumns(), row.attemptsLog, {
      ...{
        id: 'attempts',
        caption: 'Attempts',
        empty: { text: 'None so far.', next: 'It is sent when its turn comes; the state above says when.' },
      },
    }),
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
