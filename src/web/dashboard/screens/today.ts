import type { Look } from '../../../confirm/look.ts';
import type { Problem } from '../../../confirm/problem.ts';
import { byteCount, duration } from '../../../domain/text/quantity-text.ts';
import { count, type ListColumn, text, time } from '../../../lists/column.ts';
import { jobViews, needsAttention } from '../../../lists/jobs.ts';
import { problemText } from '../../../lists/problem-text.ts';
import { listPeriods } from '../../../reconcile/closing/list.ts';
import type { ExceptionFilter } from '../../../store/exceptions.ts';
import { addressOf } from '../asked.ts';
import { noticeBlock } from '../blocks.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Card, Page } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';
import { waitingPeriods } from './periods.ts';
import { forSecondPerson, signaturesText } from './second-person.ts';

// Is everything well, and what waits for me?

/** Before the first webhook. */
export const NO_DELIVERY = {
  text: 'No delivery came yet.',
  next: 'Set the webhook URL at the service, or send a sample: tallyhook trigger refund.success',
};

export const todayRoutes: readonly Route[] = [lightPage('/', 'read', today)];

async function today(context: Context): Promise<Page> {
  const { config } = context;
  const seen = await context.look();
  return {
    title: 'Today',
    question: 'Is everything well, and what waits for me?',
    commands: ['tallyhook status'],
    regions: ['events', 'findings', 'forwarding', 'jobs', 'alerts', 'exceptions'],
    blocks: [
      ...verdict(seen, config.timeZone, config.baseUrl),
      { kind: 'cards', cards: [...(await waiting(context)), alertCard(seen), ...cards(seen, context)] },
      received(seen),
    ],
  };
}

/** What waits for a decision or a signature of persons. */
async function waiting(context: Context): Promise<Card[]> {
  const { archive, config, visitor } = context;
  const countOf = async (filter: ExceptionFilter) =>
    sum((await archive.exceptionTotals(filter)).map(({ count }) => count));
  const all = await countOf({ unresolved: true });
  const mine = await countOf({ assignee: visitor.name, unresolved: true });
  const listed = await listPeriods(archive, config.periods.sets, undefined);
  const toClose = waitingPeriods(context, listed).filter(({ state }) => state === 'open');
  return [
    {
      ...{ name: 'Exceptions to decide', value: { count: all }, href: '/exceptions' },
      ...(mine > 0 && { note: `${mine} assigned to you`, href: addressOf('/exceptions', { assignee: visitor.name }) }),
      tone: all === 0 ? 'good' : 'warn',
    },
    {
      ...{ name: 'Periods to close', value: { count: toClose.length }, href: '/periods' },
      tone: toClose.length === 0 ? 'good' : 'warn',
    },
    await secondPersonCard(context),
  ];
}

/** Requests, resolutions above their limit, and closed periods that this person can decide; those of others are named beside. */
async function secondPersonCard(context: Context): Promise<Card> {
  const waits = await forSecondPerson(context);
  const { requests, resolutions, periods, isPart } = waits;
  const yours = requests.yours + resolutions.yours + periods.yours;
  const others = requests.all + resolutions.all + periods.all - yours;
  const notes = [signaturesText(waits, 'yours'), others === 0 ? '' : `${others} for other persons`];
  const note = notes.filter((one) => one !== '').join('; ');
  return {
    ...{ name: 'Waits for you as a second person', value: { count: isPart ? null : yours }, href: '/approvals' },
    ...(note !== '' && { note }),
    tone: yours === 0 ? 'good' : 'warn',
  };
}

/** Each problem with its next step, the worst first, as `status` has them. */
function verdict({ problems, system }: Look, zone: string, baseUrl: string | null): Block[] {
  if (problems.length > 0) return problems.map((problem) => problemBlock(problem, zone));
  const unconfirmed = baseUrl === null ? sum(system.due.map(({ records }) => records)) : 0;
  if (unconfirmed === 0) return [noticeBlock('good', 'Everything is well.')];
  const text = `Nothing is confirmed: ${unconfirmed} ${unconfirmed === 1 ? 'record waits' : 'records wait'}, and baseUrl is not set.`;
  return [noticeBlock('warn', text, { next: 'Set baseUrl in the configuration, and restart serve.' })];
}

function problemBlock(problem: Problem, zone: string): Block {
  const { text, next } = problemText(problem, { zone });
  const href = WHERE[problem.code];
  return noticeBlock(problem.code === 'damaged' || problem.code === 'not_kept' ? 'bad' : 'warn', text, {
    next,
    ...(href !== undefined && { links: [{ text: 'Show them', href }] }),
  });
}

/** The screen of what a problem is about; those that are missing are mended on the machine. */
const WHERE: Partial<Record<Problem['code'], string>> = {
  ...{ deliveries_refused: '/refused', not_kept: '/refused', silent: '/health', sweep_share: '/health' },
  ...{ target_disabled: '/forwarding', dead_letter: '/forwarding?state=dead', forwarding_late: '/forwarding' },
  ...{ forwarding_behind: '/forwarding', job_failed: '/jobs', job_overdue: '/jobs', backup_old: '/jobs' },
  ...{ stuck: '/stuck', findings: '/findings', aside: '/quarantine' },
};

function alertCard({ system: { alerts } }: Look): Card {
  const open = sum(alerts.map((one) => one.open));
  const isCritical = alerts.some((one) => one.severity === 'critical' && one.open > 0);
  const tone = open === 0 ? 'good' : isCritical ? 'bad' : 'warn';
  return { name: 'Open alerts', value: { count: open }, tone, href: '/alerts' };
}

function cards({ system, targets }: Look, { config }: Context): Card[] {
  const { findings, stuck, stuckAtLeast, due, refused, storage, nowMs } = system;
  const open = sum(findings.map((one) => one.open));
  const stuckRecords = sum(stuck.map((one) => one.records));
  const dueRecords = sum(due.map((one) => one.records));
  const oldestDueAtMs = Math.min(...due.map((one) => one.oldestDueAtMs));
  const waiting = sum(targets.map(({ states }) => (states.waiting ?? 0) + (states.failing ?? 0)));
  const dead = sum(targets.map(({ states }) => states.dead ?? 0));
  const wrong = jobViews(config, system.jobs, nowMs).filter(needsAttention).length;
  const { disk, databaseBytes } = storage;
  return [
    { name: 'Open findings', value: { count: open }, tone: open === 0 ? 'good' : 'warn', href: '/findings' },
    {
      ...{ name: 'Not settled within a day', value: { count: stuckRecords }, href: '/stuck' },
      ...{ tone: stuckRecords === 0 ? 'good' : 'warn', ...(stuckAtLeast && { note: 'at least' }) },
    },
    {
      ...{ name: 'Status checks due', value: { count: dueRecords } },
      ...(dueRecords > 0 && { note: `the oldest for ${duration(nowMs - oldestDueAtMs)}` }),
    },
    {
      ...{ name: 'News that waits for your applications', value: { count: waiting }, href: '/forwarding' },
      ...(dead > 0 && { tone: 'bad', note: `${dead} dead` }),
    },
    { name: 'Requests refused so far', value: { count: refused.count }, href: '/refused' },
    { name: 'Jobs that need you', value: { count: wrong }, href: '/jobs', tone: wrong === 0 ? 'good' : 'bad' },
    {
      ...{ name: 'Database', value: byteCount(databaseBytes), href: '/health' },
      ...(disk !== null && { note: `${byteCount(disk.freeBytes)} free` }),
    },
  ];
}

type Arrival = Look['system']['arrivals'][number];

const ARRIVAL_COLUMNS: readonly ListColumn<Arrival>[] = [
  text('Kind', ({ kind }) => kind),
  text('Environment', ({ environment }) => environment),
  count('Deliveries', ({ deliveries }) => deliveries),
  time('Last', ({ lastAtMs }) => lastAtMs),
];

function received({ system: { arrivals } }: Look): Block {
  return listTable(ARRIVAL_COLUMNS, arrivals, {
    ...{ id: 'arrivals', caption: 'Last received, by environment and kind' },
    links: { Kind: ({ environment, kind }) => addressOf('/events', { environment, kind }) },
    empty: NO_DELIVERY,
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
