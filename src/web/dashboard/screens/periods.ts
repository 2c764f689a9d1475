import { TallyhookError } from '../../../domain/error.ts';
import { businessDays } from '../../../domain/reconciling/business-day.ts';
import { periodColumns } from '../../../lists/periods.ts';
import { type ListedPeriod, listPeriods } from '../../../reconcile/closing/list.ts';
import { addressOf, textIn } from '../asked.ts';
import { getForm, noticeBlock } from '../blocks.ts';
import { text } from '../filters.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Page, TableBlock } from '../page.ts';
import { type Context, lightPage, type Redirect, type Route } from '../route.ts';

/** The periods of each set, and the months that could be closed. */
async function list(context: Context): Promise<Page> {
  const { archive, config, query } = context;
  const set = textIn(query, 'set');
  const periods = await listPeriods(archive, config.periods.sets, set);
  const waiting = waitingPeriods(context, periods);
  return {
    title: 'Periods',
    question: 'Which months are closed, who signed them, and what is left to do?',
    commands: ['tallyhook period list'],
    regions: ['periods'],
    blocks: [
      ...waiting.slice(0, 3).map(waitingNotice),
      periodsTable(periods, { caption: 'Periods', address: periodAddress }),
      getForm('days', '/periods/named', {
        title: 'Other days',
        fields: [
          { type: 'text', name: 'period', label: 'Period', hint: '2026-10, or 2026-10-01..2026-10-15' },
          { type: 'text', name: 'set', label: 'Set of accounts', value: set, options: setsIn(periods) },
        ],
        buttons: [{ label: 'Show it', as: 'plain' }],
      }),
    ],
  };
}

/** Those that are over and open, and those that wait for a second signature. */
export function waitingPeriods({ config, nowMs }: Context, periods: readonly ListedPeriod[]): ListedPeriod[] {
  const days = businessDays({ zone: config.timeZone, cutOffMinutes: config.reconcile.cutOffMinutes });
  const today = days.dayOf(nowMs);
  return periods.filter(({ state, period }) => state === 'closed' || (state === 'open' && isOver(period, today)));
}

function waitingNotice(one: ListedPeriod): Block {
  const isClosed = one.state === 'closed';
  return noticeBlock(
    'warn',
    isClosed
      ? `${one.period} of ${one.set} was closed by ${one.preparer}, and waits for a second signature.`
      : `${one.period} of ${one.set} is over, and open.`,
    { links: [{ text: isClosed ? 'Look at it' : 'See what is missing', href: periodAddress(one) }] },
  );
}

function setsIn(periods: readonly ListedPeriod[]): string[] {
  return [...new Set(periods.map(({ set }) => set))];
}

/** Whether the last day of a month, or of its days, has passed. */
function isOver(period: string, today: string): boolean {
  const last = period.split('..').at(-1) ?? period;
  return last.length === 'yyyy-MM'.length ? today.slice(0, last.length) > last : today > last;
}

export function periodAddress({ set, period }: Pick<ListedPeriod, 'set' | 'period'>): string {
  return `/periods/${encodeURIComponent(set)}/${encodeURIComponent(period)}`;
}

interface PeriodsTable {
  readonly caption: string;
  /** Where a period leads. */
  readonly address: (period: ListedPeriod) => string;
}

/** The latest first. */
export function periodsTable(periods: readonly ListedPeriod[], { caption, address }: PeriodsTable): TableBlock {
  return listTable(periodColumns(), periods.toReversed(), {
    ...{ id: 'periods', caption, head: 'Period' },
    links: { Period: address },
    empty: {
      text: 'There is no statement yet, so there is no period.',
      next: 'Import a statement: its month then stands here.',
      links: [{ text: 'Statements', href: '/statements' }],
    },
  });
}

/** The page of the period that a person named. */
async function named({ archive, config, query }: Context): Promise<Redirect> {
  const period = textIn(query, 'period');
  if (period === undefined) return { to: '/periods' };
  const set = textIn(query, 'set');
  const all = await listPeriods(archive, config.periods.sets, set);
  const only = setsIn(all);
  if (set === undefined && only.length !== 1)
    throw new TallyhookError('Which set of accounts is meant?', {
      ...{ kind: 'usage', hint: only.length === 0 ? 'Import a statement first.' : `Give one of: ${only.join(', ')}.` },
    });
  return { to: addressOf(periodAddress({ period, set: set ?? only[0] ?? '' })) };
}

const NAMED = { period: text('Period'), set: text('Set of accounts') };

export const periodListRoutes: readonly Route[] = [
  lightPage('/periods', 'read', list, { set: NAMED.set }),
  lightPage('/periods/named', 'read', named, NAMED),
];
