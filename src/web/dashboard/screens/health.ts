import {
  daysOfSpan,
  type HealthStretch,
  HISTORY_SPANS,
  type HistorySpan,
  healthHistory,
} from '../../../confirm/health-history.ts';
import { ACK_BOUNDS_MS } from '../../../domain/health/ack-times.ts';
import { byteCount, byteUnit, percentText } from '../../../domain/text/quantity-text.ts';
import { channelColumns } from '../../../lists/channels.ts';
import { healthHistoryColumns, withinText } from '../../../lists/health-history.ts';
import { incidentColumns } from '../../../lists/incidents.ts';
import { dayColumns, dayLines, shortDay } from '../../../reconcile/report/html/charts/by-day.ts';
import { shortNumber } from '../../../reconcile/report/html/charts/scale.ts';
import type { DayValue } from '../../../reconcile/report/table.ts';
import { DAY_MS } from '../../../time/clock.ts';
import { localTime } from '../../../time/local-time.ts';
import { incidentsIn } from '../../../why/incident.ts';
import { besideBlock, foldBlock, linksBlock, noticeBlock } from '../blocks.ts';
import { askedIn, hidden, word } from '../filters.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Page } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';
import { NO_DELIVERY } from './today.ts';

// Do webhooks arrive, in time, and is there room?

const FILTERS = { span: hidden(word('Span', HISTORY_SPANS)) };

export const healthRoutes: readonly Route[] = [lightPage('/health', 'read', health, FILTERS)];

async function health(context: Context): Promise<Page> {
  const { archive, query, nowMs, config, serve } = context;
  const { span = 'week' } = askedIn(FILTERS, query, config.timeZone);
  const { channels, system } = await context.look();
  const { timeZone: zone } = config;
  const history = await healthHistory(archive, { span, nowMs, zone });
  const days = daysOfSpan(span);
  const asked = { sinceMs: nowMs - days * DAY_MS, untilMs: nowMs + 1 };
  const incidents = await incidentsIn(archive, asked, { nowMs, zone, serve: serve() });
  const { databaseBytes, logBytes, disk } = system.storage;
  const room =
    disk === null
      ? []
      : [{ name: 'Free on the disk', value: byteCount(disk.freeBytes), note: `of ${byteCount(disk.totalBytes)}` }];
  return {
    title: 'Health',
    question: 'Do webhooks arrive, in time, and is there room?',
    commands: [`tallyhook health --history ${span}`, 'tallyhook health', `tallyhook incidents --since ${days}d`],
    regions: ['events', 'jobs'],
    blocks: [
      {
        kind: 'cards',
        cards: [
          { name: 'Requests refused so far', value: { count: system.refused.count }, href: '/refused' },
          { name: 'Deliveries that wait in the log', value: { count: system.waiting.deliveries } },
          { name: 'Database', value: byteCount(databaseBytes), note: `write-ahead log ${byteCount(logBytes)}` },
          ...room,
        ],
      },
      listTable(channelColumns(), channels, {
        ...{ id: 'channels', caption: 'Channels, by the records first seen in the last 7 days', head: 'Kind' },
        empty: NO_DELIVERY,
      }),
      linksBlock(
        'Span',
        HISTORY_SPANS.map((one) => ({
          text: `The last ${one}`,
          href: `/health?span=${one}`,
          isCurrent: one === span,
        })),
      ),
      ...historyBlocks(history, span, zone),
      listTable(incidentColumns(nowMs), incidents, {
        ...{ id: 'incidents', caption: `Incidents of the last ${span}`, head: 'Kind' },
        tone: ({ toMs }) => (toMs === null ? 'bad' : undefined),
        empty: {
          text: `There was no incident in the last ${span}.`,
          next: 'Look at a longer span, or at what was refused.',
          links: [{ text: 'Refused', href: '/refused' }],
        },
      }),
    ],
  };
}

/** The charts, and their figures in one table. */
function historyBlocks(history: readonly HealthStretch[], span: HistorySpan, zone: string): Block[] {
  const known = history.filter(({ databaseBytes }) => databaseBytes !== null);
  if (known.length === 0)
    return [
      noticeBlock('quiet', `There is no sample of the last ${span}.`, {
        next: 'The health job keeps one at each run. Run it: tallyhook schedule run health',
      }),
    ];
  const daysOf = daysOver(history, span, zone);
  const lines = (['p50', 'p95', 'p99'] as const).map((name) => ({
    name,
    days: daysOf(
      (one) => one[`${name}Ms`],
      (ms) => withinText(ms) ?? '',
    ),
  }));
  const acks = { id: 'acks', title: 'Acknowledged within, in milliseconds' };
  const columns = (id: string, title: string, days: readonly DayValue[]) => {
    return { id, title, svg: dayColumns({ id: `${id}-chart`, title, days }) };
  };
  /** Bytes are drawn in the unit of the most of them. */
  const bytes = (id: string, title: string, of: (stretch: HealthStretch) => number | null) => {
    const unit = byteUnit(Math.max(0, ...history.map((one) => of(one) ?? 0)));
    const days = daysOf(
      (one) => {
        const value = of(one);
        return value === null ? null : value / unit.bytes;
      },
      (value) => byteCount(value * unit.bytes),
    );
    return columns(id, `${title}, in ${unit.name}`, days);
  };
  const charts = [
    { ...acks, svg: dayLines({ ...acks, id: 'acks-chart', lines, shown: shortNumber }) },
    columns(
      'refusals',
      'Requests refused',
      daysOf(({ refused }) => refused, String),
    ),
    columns(
      'swept',
      'Per cent settled by a status check before a webhook',
      daysOf(
        ({ sweepShare }) => (sweepShare === null ? null : sweepShare * 100),
        (share) => percentText(share / 100),
      ),
    ),
    bytes('size', 'Size of the database', ({ databaseBytes }) => databaseBytes),
    bytes('room', 'Free on its disk', ({ freeBytes }) => freeBytes),
  ];
  return [
    besideBlock(charts.map(({ id, title, svg }) => ({ title, blocks: [{ kind: 'drawing', id, svg, figures: null }] }))),
    foldBlock(`Figures of the last ${span}`, [
      listTable(healthHistoryColumns(), known.toReversed(), {
        ...{ id: 'history', caption: 'By the time at which each stretch begins, the latest first' },
        empty: null,
      }),
    ]),
  ];
}

/** A value of each stretch, named as short as its span allows. A time beyond all bounds is drawn at the last one. */
function daysOver(history: readonly HealthStretch[], span: HistorySpan, zone: string) {
  const local = localTime(zone);
  const nameOf = (fromMs: number) => {
    const [day = '', time = ''] = local(fromMs).split(' ');
    const hour = time.slice(0, 'HH:mm'.length);
    return span === 'day' ? hour : span === 'week' ? `${shortDay(day)} ${hour}` : day;
  };
  const names = history.map(({ fromMs }) => nameOf(fromMs));
  const last = ACK_BOUNDS_MS.at(-1) ?? 0;
  return (of: (stretch: HealthStretch) => number | null, shown: (value: number) => string): DayValue[] =>
    history.map((stretch, at) => {
      const value = of(stretch);
      const drawn = value === null ? null : String(Number.isFinite(value) ? value : last);
      return { day: names[at] ?? '', value: drawn, shown: value === null ? '' : shown(value) };
    });
}
