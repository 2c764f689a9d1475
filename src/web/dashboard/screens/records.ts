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
import { addressOf, textIn } from '../asked.ts';
import { linksBlock } from '../blocks.ts';
import {
  AFTER,
  amount,
  askedIn,
  boundsOf,
  DAYS,
  ENVIRONMENT,
  filtersForm,
  flag,
  optionsOf,
  text,
  word,
  words,
} from '../filters.ts';
import { asOptions, given } from '../forms.ts';
import { type IdList, listPage, listTable } from '../list-blocks.ts';
import type { Page } from '../page.ts';
import { asidePage, type Context, lightPage, type Route } from '../route.ts';

// Which refunds, payouts and collections, and how much, by status and day?

const KINDS = [
  { kind: 'refund', path: '/refunds', title: 'Refunds' },
  { kind: 'payout', path: '/payouts', title: 'Payouts' },
  { kind: 'collection', path: '/collections', title: 'Collections' },
] as const;

const TOTALS = { ...ENVIRONMENT, ...DAYS, by: word('By', TOTALS_BY) };

export const recordsRoutes: readonly Route[] = KINDS.flatMap((one): Route[] => [
  lightPage(one.path, 'read', (context) => list(context, one), { ...filtersOf(one.kind), ...AFTER }),
  asidePage(`${one.path}/totals`, 'read', (context) => totals(context, one), TOTALS),
]);

async function list(context: Context, { kind, path, title }: (typeof KINDS)[number]): Promise<Page> {
  const { archive, query, config } = context;
  const filters = filtersOf(kind);
  const { status: statuses, since, until, ...rest } = askedIn(filters, query, config.timeZone);
  const filter: RecordFilter = { ...rest, ...boundsOf({ since, until }), ...given({ statuses }) };
  return listPage(context, {
    ...{ title, question: `Which ${kind}s, and how much, by status and day?`, regions: ['records'] },
    ...{ path, filters, command: `tallyhook ${kind}s list`, filter },
    list: recordList(archive, kind, filter.reference !== undefined),
    columns: recordColumns(kind, { reveal: false }),
    table: (rows) => ({
      ...{ id: 'records', caption: `${title}, the newest first`, without: ['Id'], head: 'Reference' },
      links: { Reference: recordAddress },
      note: rows.some(isDisputed) ? DISPUTED_NOTE : undefined,
    }),
    none: { text: `There is no ${kind} yet.`, next: 'They come by webhooks, or by: tallyhook backfill' },
    noMatch: `No ${kind} matches.`,
    above: [linksBlock('Sums', [{ text: 'How many, and how much', href: addressOf(`${path}/totals`, sumsOf(query)) }])],
  });
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

function filtersOf(kind: RecordKind) {
  return {
    ...{ ...ENVIRONMENT, status: words('Status', LIFECYCLES[kind].ranks.flat()), ...DAYS },
    ...{ by: word('Days of', RECORD_TIMES), reference: text('Reference', 255), amount: amount('Amount') },
    ...{ currency: text('Currency'), confirmed: flag('Confirmed by the service') },
  };
}

/** The filters that the sums have, too. */
function sumsOf(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => ['environment', 'since', 'until'].includes(name)));
}

/** How many and how much, of some days: reads every record of them, so it is computed aside. */
async function totals(context: Context, { kind, path, title }: (typeof KINDS)[number]): Promise<Page> {
  const { archive, query, config, nowMs } = context;
  const { by = 'status', environment } = askedIn(TOTALS, query, config.timeZone);
  const today = localTime(config.timeZone)(nowMs).slice(0, 10);
  const from = textIn(query, 'since') ?? `${today.slice(0, 7)}-01`;
  const to = textIn(query, 'until') ?? today;
  if (!isDay(from) || !isDay(to) || from > to)
    throw new TallyhookError(`From ${from} to ${to}: these are no days in order.`, {
      kind: 'usage',
      hint: 'Give two days such as 2026-10-01 and 2026-10-31.',
    });
  const dayRule = { zone: config.timeZone, cutOffMinutes: config.reconcile.cutOffMinutes };
  const rows = await periodTotals(archive, { from, to, dayRule, kinds: [kind], by, ...given({ environment }) });
  return {
    title: `${title}: totals`,
    question: `How many ${kind}s, and how much, from ${from} to ${to}?`,
    commands: [`tallyhook totals ${kind}s --from ${from} --to ${to} --by ${by}${optionsOf(ENVIRONMENT, query)}`],
    trail: [{ text: title, href: path }],
    blocks: [
      filtersForm(
        `${path}/totals`,
        TOTALS,
        new URLSearchParams({ ...Object.fromEntries(query), since: from, until: to }),
        {
          by: { type: 'select', name: 'by', label: 'By', value: by, options: asOptions(TOTALS_BY) },
        },
      ),
      listTable(totalsColumns(by), rows, {
        ...{ id: 'totals', caption: `${title} from ${from} to ${to}, by ${by}`, without: ['Kind'] },
        empty: { text: `No ${kind} is of these days.`, next: 'Take other days.' },
      }),
    ],
  };
}
