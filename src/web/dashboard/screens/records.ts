import { TallyhookError } from '../../../domain/error.ts';
import { isDay } from '../../../domain/reconciling/business-day.ts';
import { LIFECYCLES, type RecordKind } from '../../../domain/records/lifecycle.ts';
import { DISPUTED_NOTE, isDisputed, recordColumns } from '../../../lists/records.ts';
import { totalsColumns } from '../../../lists/totals.ts';
import { periodTotals, TOTALS_BY } from '../../../reconcile/witnesses/period-totals.ts';
import type { Archive } from '../../../store/archive.ts';
import { RECORD_TIMES, type RecordFilter, type RecordSummary } from '../../../store/records.ts';
import { localTime } from '../../../time/local-time.ts';
import { recordAddress } from '../address.ts';
import { addressOf, amountIn, textIn, wordIn, wordsIn } from '../asked.ts';
import {
  asOptions,
  choice,
  dayFields,
  daysIn,
  environmentField,
  environmentIn,
  filtersForm,
  given,
  optionsOf,
  textField,
} from '../forms.ts';
import { type IdList, listTable, lookedPage, noneLooked, pagesBlock } from '../list-blocks.ts';
import type { Page } from '../page.ts';
import type { Context, Route } from '../route.ts';

// Which refunds, payouts and collections, and how much, by status and day?

const KINDS = [
  { kind: 'refund', path: '/refunds', title: 'Refunds' },
  { kind: 'payout', path: '/payouts', title: 'Payouts' },
  { kind: 'collection', path: '/collections', title: 'Collections' },
] as const;

export const recordsRoutes: readonly Route[] = KINDS.flatMap((one): Route[] => [
  {
    ...{ method: 'GET', path: one.path, act: 'read', weight: 'light' },
    handle: (context) => list(context, one),
  },
  {
    ...{ method: 'GET', path: `${one.path}/totals`, act: 'read', weight: 'aside' },
    handle: (context) => totals(context, one),
  },
]);

async function list(context: Context, { kind, path, title }: (typeof KINDS)[number]): Promise<Page> {
  const { archive, query, config } = context;
  const filter = filterOf(query, kind, config.timeZone);
  const found = await lookedPage(query, filter, recordList(archive, kind, filter.reference !== undefined));
  const options = optionsOf(query, [
    'environment',
    'reference',
    'status',
    'since',
    'until',
    'by',
    'amount',
    'currency',
  ]);
  return {
    title,
    question: `Which ${kind}s, and how much, by status and day?`,
    commands: [`tallyhook ${kind}s list${options}${query.get('confirmed') === null ? '' : ' --confirmed'}`],
    regions: ['records'],
    blocks: [
      {
        ...{ kind: 'links', label: 'Sums' },
        links: [{ text: 'How many, and how much', href: addressOf(`${path}/totals`, sumsOf(query)) }],
      },
      filtersForm(path, [
        environmentField(query),
        choice(query, 'status', 'Status', statusesOf(kind)),
        ...dayFields(query),
        choice(query, 'by', 'Days of', RECORD_TIMES),
        textField(query, 'reference', 'Reference'),
        textField(query, 'amount', 'Amount'),
        textField(query, 'currency', 'Currency'),
        {
          ...{ type: 'checkbox', name: 'confirmed', label: 'Confirmed by the service', value: 'yes' },
          checked: query.get('confirmed') !== null,
        },
      ]),
      listTable(recordColumns(kind, { reveal: false }), found.rows, {
        ...{ id: 'records', caption: `${title}, the newest first`, without: ['Id'], head: 'Reference' },
        links: { Reference: recordAddress },
        empty: {
          text: query.size === 0 ? `There is no ${kind} yet.` : `No ${kind} matches.`,
          next: query.size === 0 ? `They come by webhooks, or by: tallyhook backfill` : 'Take a filter away.',
          ...noneLooked(found),
          ...(query.size > 0 && { links: [{ text: 'Show all', href: path }] }),
        },
        note: found.rows.some(isDisputed) ? DISPUTED_NOTE : undefined,
      }),
      pagesBlock(path, query, found),
    ],
  };
}

/** The records of a kind as a list of ids. */
export function recordList(
  archive: Archive,
  kind: RecordKind,
  isByIndex: boolean,
): IdList<RecordFilter, RecordSummary> {
  return {
    read: (filter, page) => archive.records(kind, filter, page),
    count: (filter) => archive.countRecords(kind, filter),
    isByIndex,
  };
}

function filterOf(query: URLSearchParams, kind: RecordKind, zone: string): RecordFilter {
  const statuses = wordsIn(query, 'status', statusesOf(kind));
  const reference = textIn(query, 'reference', 255);
  const by = wordIn(query, 'by', RECORD_TIMES);
  const [amount, currency] = [amountIn(query, 'amount'), textIn(query, 'currency')];
  return {
    ...environmentIn(query),
    ...daysIn(query, zone),
    ...given({ statuses, reference, by, amount, currency }),
    ...(query.get('confirmed') !== null && { confirmed: true }),
  };
}

/** The filters that the sums have, too. */
function sumsOf(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => ['environment', 'since', 'until'].includes(name)));
}

function statusesOf(kind: RecordKind): string[] {
  return LIFECYCLES[kind].ranks.flat();
}

/** How many and how much, of some days: reads every record of them, so it is computed aside. */
async function totals(context: Context, { kind, path, title }: (typeof KINDS)[number]): Promise<Page> {
  const { archive, query, config, nowMs } = context;
  const by = wordIn(query, 'by', TOTALS_BY) ?? 'status';
  const today = localTime(config.timeZone)(nowMs).slice(0, 10);
  const from = textIn(query, 'since') ?? `${today.slice(0, 7)}-01`;
  const to = textIn(query, 'until') ?? today;
  if (!isDay(from) || !isDay(to) || from > to)
    throw new TallyhookError(`From ${from} to ${to}: these are no days in order.`, {
      kind: 'usage',
      hint: 'Give two days such as 2026-10-01 and 2026-10-31.',
    });
  const dayRule = { zone: config.timeZone, cutOffMinutes: config.reconcile.cutOffMinutes };
  const rows = await periodTotals(archive, { from, to, dayRule, kinds: [kind], by, ...environmentIn(query) });
  return {
    title: `${title}: totals`,
    question: `How many ${kind}s, and how much, from ${from} to ${to}?`,
    commands: [`tallyhook totals ${kind}s --from ${from} --to ${to} --by ${by}${optionsOf(query, ['environment'])}`],
    trail: [{ text: title, href: path }],
    blocks: [
      filtersForm(`${path}/totals`, [
        environmentField(query),
        ...dayFields(new URLSearchParams({ since: from, until: to })),
        { type: 'select', name: 'by', label: 'By', value: by, options: asOptions(TOTALS_BY) },
      ]),
      listTable(totalsColumns(by), rows, {
        ...{ id: 'totals', caption: `${title} from ${from} to ${to}, by ${by}`, without: ['Kind'] },
        empty: { text: `No ${kind} is of these days.`, next: 'Take other days.' },
      }),
    ],
  };
}
