import { carryOut } from '../../../access/carry-out.ts';
import { askedText, carryOutText } from '../../../access/request-words.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import { happeningOf } from '../../../lists/happening.ts';
import { requestColumns, requestFacts, requestRowColumns } from '../../../lists/requests.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import type { AskedOrder, KnownRequest, RequestResult } from '../../../store/approvals.ts';
import { addressOf, rowNamed, textIn } from '../asked.ts';
import { factsBlock, linksBlock, noticeBlock, postForm, sectionBlock, textBlock } from '../blocks.ts';
import { problemBlocks, refusalText } from '../failure.ts';
import { AFTER, askedIn, flag, hidden } from '../filters.ts';
import { actForm } from '../forms.ts';
import { factsOf, listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Block, Card, Field, Page, TableBlock } from '../page.ts';
import { type Answer, asideForm, type Context, lightForm, lightPage, type Route } from '../route.ts';
import { newsAddress } from './forwarding-choice.ts';
import { periodAddress } from './periods.ts';
import {
  type ForSecondPerson,
  forSecondPerson,
  signaturesText,
  UNAPPROVED_ADDRESS,
  type Waiting,
} from './second-person.ts';

/** Rows of a request that are listed; all of them are in its digest. */
const MOST_ROWS = 200;

const FILTERS = { all: hidden(flag('All')) };

/** Everything that waits for a second person: requests, resolutions above a limit, and closed periods. */
async function list(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  const { all: isAll = false } = askedIn(FILTERS, query, config.timeZone);
  const filter = isAll ? {} : { isOpen: true };
  const found = await pageOfList(
    query,
    (page) => archive.approvals(filter, page),
    () => archive.countApprovals(filter),
  );
  const waiting = await forSecondPerson(context);
  return {
    title: 'Approvals',
    question: 'What waits for a second person, and what will happen when I say yes?',
    commands: [isAll ? 'tallyhook approvals list --closed' : 'tallyhook approvals list'],
    regions: ['exceptions', 'periods'],
    blocks: [
      waitingCards(waiting),
      linksBlock('Which requests', [
        { text: 'Open', href: '/approvals', isCurrent: !isAll },
        { text: 'All', href: addressOf('/approvals', { all: '1' }), isCurrent: isAll },
      ]),
      requestsTable(context, found.rows, waiting),
      pagesBlock('/approvals', query, found),
    ],
  };
}

function waitingCards({ resolutions, periods, closed }: ForSecondPerson): Block {
  const [only, ...others] = closed;
  const card = (name: string, { all, yours }: Waiting, note: string, href: string): Card => ({
    ...{ name, value: { count: all }, note: all === 0 ? note : `${note}; ${yours} for you`, href },
    tone: all > 0 ? 'warn' : undefined,
  });
  const isOne = only !== undefined && others.length === 0;
  const address = isOne ? periodAddress({ set: only.set.name, period: only.period }) : '/periods';
  return {
    kind: 'cards',
    cards: [
      card('Resolutions above their limit', resolutions, 'of exceptions', UNAPPROVED_ADDRESS),
      card('Closed periods', periods, 'without a second signature', address),
    ],
  };
}

function requestsTable({ nowMs }: Context, requests: readonly KnownRequest[], waiting: ForSecondPerson): TableBlock {
  const others = signaturesText(waiting, 'all');
  return listTable(requestColumns(nowMs), requests, {
    ...{ id: 'requests', caption: 'Requests', head: 'What' },
    links: { What: ({ id }) => `/approvals/${id}` },
    empty: {
      text: others === '' ? 'No request waits.' : `No request waits, but above: ${others}.`,
      next: 'What needs a second person is asked for where it is done; the configuration says what does (approvals).',
    },
  });
}

function actText({ asked }: KnownRequest): string {
  const text = askedText(asked);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function found({ archive, params }: Context): Promise<KnownRequest> {
  return rowNamed(params.id, { what: 'request', list: '/approvals?all=1' }, (id) => archive.approval(id));
}

async function show(context: Context, problem?: string): Promise<Page> {
  const { archive, nowMs } = context;
  const one = await found(context);
  const rows = await archive.approvalRows(one.id);
  return {
    title: `Request ${one.id}: ${actText(one)}`,
    question: 'What will happen when I say yes?',
    commands: [`tallyhook approvals show ${one.id}`],
    trail: [{ text: 'Approvals', href: '/approvals' }],
    blocks: [
      ...problemBlocks(problem),
      standing(context, one),
      factsBlock(factsOf(requestFacts(nowMs), one)),
      await happening(context, one),
      ...deciding(context, one),
      listTable(requestRowColumns(), rows, {
        ...{ id: 'rows', caption: `The ${countOf(one.rows, 'row')} of the request`, most: MOST_ROWS },
        links: { Row: ({ key }) => rowHref(key) },
        empty: null,
      }),
    ],
  };
}

async function happening({ archive }: Context, { asked }: KnownRequest): Promise<Block> {
  const { text, facts } = await happeningOf(archive, asked);
  const blocks: Block[] = [textBlock(text), factsBlock(factsOf(facts, null, happeningLinks(asked)))];
  return sectionBlock('then', 'What will happen', blocks);
}

function happeningLinks({ act, order }: AskedOrder): Readonly<Record<string, string>> {
  if (act === 'replay' || act === 'target.enable')
    return { Target: addressOf('/forwarding', { target: order.target }) };
  if (act === 'statement.remove') return { File: `/statements/${order.statement}` };
  return act === 'period.reopen' ? { Period: periodAddress(order) } : {};
}

/** What a row of a request is about, where it has a page. */
function rowHref(key: string): string | undefined {
  const [, news] = /^outbox:(.+)$/.exec(key) ?? [];
  if (news !== undefined) return newsAddress(news);
  const [, event] = /\bevent[ :](\d+)$/.exec(key) ?? [];
  return event === undefined ? undefined : `/events/${event}`;
}

function standing({ visitor, nowMs }: Context, one: KnownRequest): Block {
  const isOwn = samePerson(one.askedBy, visitor.name);
  if (nowMs >= one.expiresAtMs && (one.state === 'asked' || one.state === 'approved'))
    return noticeBlock('quiet', 'It has expired: nothing comes of it. Who still wants it asks again.');
  switch (one.state) {
    case 'asked':
      return noticeBlock('warn', 'Nothing has happened yet.', {
        next: isOwn
          ? 'Another person approves or refuses it; you may take it back.'
          : `When you approve it, ${one.askedBy} may do exactly this, once, and nothing else.`,
      });
    case 'approved':
      return noticeBlock('good', `Approved by ${one.decidedBy}. It is not carried out yet.`, {
        ...(isOwn && { next: 'Carry it out.' }),
      });
    case 'refused':
      return noticeBlock('bad', `Refused by ${one.decidedBy}${one.answer === null ? '' : `: ${one.answer}`}`);
    case 'used':
      return noticeBlock('quiet', `Approved by ${one.decidedBy}, carried out by ${one.askedBy}.`);
  }
}

/** Personal data is shown where it stands: carried out from here, it would be used up and shown nowhere. */
function whereShown(request: KnownRequest, rows: readonly string[]): Block {
  const events = rows.flatMap((row) => /^event:(\d+)$/.exec(row)?.[1] ?? []);
  if (events.length === 0) return textBlock(`Run ${carryOutText(request)}.`);
  const links = events.map((id) => ({ text: `Event ${id}`, href: `/events/${id}` }));
  return textBlock('Open what you asked to see, and show it there, once.', { links });
}

function deciding({ visitor, may, nowMs }: Context, one: KnownRequest): Block[] {
  const isOwn = samePerson(one.askedBy, visitor.name);
  const address = `/approvals/${one.id}`;
  if (nowMs >= one.expiresAtMs) return [];
  if (one.state === 'approved' && isOwn && may('approval.use') && one.asked.act === 'reveal')
    return [whereShown(one, one.asked.order.rows)];
  if (one.state === 'approved' && isOwn && may('approval.use'))
    return [actForm('carry', `${address}/carry-out`, { label: `Carry it out: ${actText(one)}` })];
  if (one.state !== 'asked') return [];
  const digest: Field = { type: 'hidden', name: 'digest', value: one.digest };
  const approve = actForm('approve', `${address}/approve`, { label: 'Approve exactly this' }, [digest]);
  const refuse: Block = postForm('refuse', `${address}/refuse`, {
    fields: [digest, ...(isOwn ? [] : [{ type: 'text', name: 'answer', label: 'Why not', maxLength: 1_000 } as const])],
    buttons: [{ label: isOwn ? 'Take it back' : 'Refuse it', as: 'plain' }],
  });
  return [
    ...(may('approval.approve') && !isOwn ? [approve] : []),
    ...(isOwn || may('approval.refuse') ? [refuse] : []),
  ];
}

type Deciding = (
  context: Context,
  order: { readonly id: number; readonly by: string; readonly digest?: string },
) => Promise<RequestResult>;

function decider(decide: Deciding, said: string) {
  return async (context: Context): Promise<Answer> => {
    const { id } = await found(context);
    const digest = textIn(context.form, 'digest');
    const result = await decide(context, { id, by: context.visitor.name, ...(digest !== undefined && { digest }) });
    if (result.outcome === 'done') return { to: `/approvals/${id}`, said };
    return { ...(await show(context, refusalText(result))), status: 409 };
  };
}

async function carryOutApproved(context: Context): Promise<Answer> {
  const request = await found(context);
  await carryOut(request, context.operations, context.visitor.name);
  return { to: `/approvals/${request.id}`, said: `Done: ${actText(request)}.` };
}

export const approvalRoutes: readonly Route[] = [
  lightPage('/approvals', 'read', list, { ...FILTERS, ...AFTER }),
  lightPage('/approvals/:id', 'read', (context) => show(context)),
  lightForm(
    '/approvals/:id/approve',
    'approval.approve',
    decider(({ operations }, order) => operations.approvals.approve(order), 'Approved.'),
  ),
  {
    // Also by the one who asked, who takes it back.
    ...{ method: 'POST', path: '/approvals/:id/refuse', act: 'approval.ask', weight: 'light' },
    handle: decider(
      ({ operations, form }, order) =>
        operations.approvals.refuse({ ...order, answer: textIn(form, 'answer') ?? null }),
      'Refused. Nothing was changed.',
    ),
  },
  asideForm('/approvals/:id/carry-out', 'approval.use', carryOutApproved),
];
