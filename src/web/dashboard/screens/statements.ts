import { daysText, uncoveredDays } from '../../../domain/balance/covered-days.ts';
import type { DayRange } from '../../../domain/periods/period.ts';
import { businessDays, dayPlus, daysFrom, monthOf } from '../../../domain/reconciling/business-day.ts';
import type { IntakeEntry } from '../../../domain/statements/statement-intake.ts';
import { long } from '../../../lists/column.ts';
import { intakeColumns, statementColumns } from '../../../lists/statements.ts';
import { countOf } from '../../../reconcile/report/words.ts';
import type { StatementFilter, StatementSummary } from '../../../store/statements.ts';
import { addressOf } from '../asked.ts';
import { postForm, sectionBlock } from '../blocks.ts';
import { AFTER, askedIn, ENVIRONMENT, flag, text } from '../filters.ts';
import { listPage, listTable } from '../list-blocks.ts';
import type { Block, Field, Page, TableBlock, TableRow } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';

/** Refused files of the folder that are listed. */
const MOST_REFUSED = 50;
/** Statements whose days are looked at, the latest ones. */
const MOST_LOOKED_AT = 2_000;
const MONTHS = 6;
/** Gaps of an account that are named; older ones stand in its months. */
const MOST_GAPS = 4;

const FILTERS = { account: text('Account'), ...ENVIRONMENT, removed: flag('Also removed ones') };

async function list(context: Context, problem?: string): Promise<Page> {
  const { archive, query, may, config } = context;
  const filter: StatementFilter = askedIn(FILTERS, query, config.timeZone);
  const { account, removed = false } = filter;
  const looked = await archive.statements({}, { limit: MOST_LOOKED_AT, order: 'newest' });
  return listPage<StatementFilter, StatementSummary & { readonly id: number }>(context, {
    ...{ title: 'Statements', question: 'Which days are covered, and what is missing?' },
    ...{ path: '/statements', filters: FILTERS, command: 'tallyhook statements list', filter },
    fields: {
      account: { type: 'text', name: 'account', label: 'Account', value: account, options: accountsIn(looked) },
    },
    list: {
      read: async (asked, page) =>
        (await archive.statements(asked, page)).map((one) => ({ ...one, id: one.statement })),
      ...{ count: archive.countStatements, isByIndex: true },
    },
    columns: statementColumns(removed),
    table: () => ({
      ...{ id: 'statements', caption: 'Statements, the latest first', head: 'File' },
      links: { File: ({ statement }) => `/statements/${statement}` },
    }),
    none: {
      text: 'No statement is there.',
      next: 'Bring a file in: the export of your wallet at the service is a good first one.',
    },
    noMatch: 'No statement matches.',
    above: [
      ...(looked.length === 0 ? [] : [coverage(context, looked)]),
      ...(may('statement.import') ? [uploadForm(context, looked, problem)] : []),
      ...(await refusedFiles(context)),
    ],
  });
}

function accountsIn(statements: readonly StatementSummary[]): string[] {
  return [...new Set(statements.map(({ account }) => account.name))].sort();
}

/** The days of each account: the last months, and what is missing up to yesterday. */
function coverage({ config, nowMs }: Context, statements: readonly StatementSummary[]): TableBlock {
  const { timeZone: zone, reconcile, periods } = config;
  const today = businessDays({ zone, cutOffMinutes: reconcile.cutOffMinutes }).dayOf(nowMs);
  const first = statements.reduce(
    (least, { covers }) => (covers !== null && covers.from < least ? covers.from : least),
    today,
  );
  const months = lastMonths(today, MONTHS).filter((month) => month >= first.slice(0, 7));
  const byAccount = Map.groupBy(
    statements.filter(({ covers }) => covers !== null),
    ({ account }) => `${account.environment} ${account.name}`,
  );
  const rows = [...byAccount.values()]
    .sort(([one], [other]) => ((one?.account.name ?? '') < (other?.account.name ?? '') ? -1 : 1))
    .map((own) => coverageRow(own, { months, today, lastDay: periods.until?.[own[0]?.account.name ?? ''] ?? null }));
  return {
    ...{ kind: 'table', id: 'covered', caption: 'Days covered, by account and month' },
    columns: [
      { name: 'Account', as: 'head' },
      ...months.map((month, at) => ({ name: month, as: 'figure' as const, leaveOut: months.length - at })),
      { name: 'Missing, up to yesterday' },
    ],
    rows,
    empty: {
      text: 'No statement states any day.',
      next: 'Look whether its profile reads the days that the file covers.',
    },
    ...(statements.length === MOST_LOOKED_AT && { note: `By the latest ${countOf(MOST_LOOKED_AT, 'statement')}.` }),
  };
}

interface Calendar {
  readonly months: readonly string[];
  readonly today: string;
  /** Of an account that was closed. */
  readonly lastDay: string | null;
}

function coverageRow(own: readonly StatementSummary[], { months, today, lastDay }: Calendar): TableRow {
  const [{ account } = { account: { name: '', kind: '', environment: '' } }] = own;
  const covered = own.flatMap(({ covers }) => (covers === null ? [] : [covers]));
  const first = covered.reduce((least, { from }) => (from < least ? from : least), today);
  const end = lastDay ?? dayPlus(today, -1);
  const missing = first > end ? [] : uncoveredDays({ from: first, to: end }, covered);
  const isStated = own.every(({ statesDays }) => statesDays);
  return {
    cells: [
      {
        ...{ text: account.name, href: addressOf('/statements', { account: account.name }) },
        note: `${account.kind}, ${account.environment}`,
      },
      ...months.map((month) => monthCell(daysOf(month, { first, end }), covered)),
      missing.length === 0
        ? { text: 'nothing', as: 'status', tone: 'good' }
        : {
            ...{ text: gapsText(missing), as: 'long' },
            ...{ tone: 'warn', note: isStated ? 'no file covers these days' : 'no line; its files state no days' },
          },
    ],
  };
}

function gapsText(missing: readonly DayRange[]): string {
  const more = missing.length - MOST_GAPS;
  return `${more > 0 ? `${more} earlier gaps, ` : ''}${daysText(missing.slice(-MOST_GAPS))}`;
}

/** The days of a month on which the account was there. */
function daysOf(month: string, { first, end }: { readonly first: string; readonly end: string }): readonly string[] {
  const last = monthOf(month).to;
  const from = first > `${month}-01` ? first : `${month}-01`;
  const to = end < last ? end : last;
  return from > to ? [] : daysFrom(from, to);
}

function monthCell(days: readonly string[], covered: readonly DayRange[]): TableRow['cells'][number] {
  if (days.length === 0) return null;
  const count = days.filter((day) => covered.some(({ from, to }) => from <= day && day <= to)).length;
  const tone = count === days.length ? 'good' : count === 0 ? 'bad' : 'warn';
  return { text: `${count} of ${days.length}`, tone };
}

function lastMonths(today: string, count: number): string[] {
  const months = [today.slice(0, 7)];
  while (months.length < count) months.unshift(dayPlus(`${months[0]}-01`, -1).slice(0, 7));
  return months;
}

function uploadForm({ form }: Context, statements: readonly StatementSummary[], problem: string | undefined): Block {
  const known = latestByAccount(statements);
  const value = (name: string) => form.get(name) ?? undefined;
  const fields: Field[] = [
    { type: 'file', name: 'file', label: 'CSV or XLSX file', required: true, accept: '.csv,.tsv,.txt,.xlsx' },
    {
      ...{
        type: 'select',
        name: 'as',
        label: 'How it is read',
        value: value('as') ?? String(known[0]?.statement ?? ''),
      },
      options: [
        ...known.map(({ statement, account, profile }) => ({
          value: String(statement),
          label: `as the files of ${account.name} (${account.environment}): profile ${profile.name}`,
        })),
        { value: '', label: 'Propose how: it is a new account, or a new layout' },
      ],
    },
  ];
  return sectionBlock(
    'upload',
    'Bring a file in',
    [
      postForm('send', '/statements/upload', {
        isUpload: true,
        fields: known.length === 0 ? fields.slice(0, 1) : fields,
        buttons: [{ label: 'Send and look at it' }],
        problem,
      }),
    ],
    'Nothing is kept before you have seen what the file says.',
  );
}

/** The latest statement of each account: its profile reads the next file. */
function latestByAccount(statements: readonly StatementSummary[]): StatementSummary[] {
  const latest = new Map<string, StatementSummary>();
  for (const one of statements) {
    const key = `${one.account.environment} ${one.account.name}`;
    if (!latest.has(key)) latest.set(key, one);
  }
  return [...latest.values()];
}

/** What of the statements folder is refused. */
async function refusedFiles({ archive, config }: Context): Promise<Block[]> {
  if (config.reconcile.statementsFolder === null) return [];
  const refused = (await archive.intake()).filter(({ outcome }) => outcome === 'refused');
  if (refused.length === 0) return [];
  const next = long<IntakeEntry>('Next', ({ hint }) => hint);
  return [
    listTable([...intakeColumns(), next], refused, {
      ...{ id: 'folder', caption: 'Refused in the statements folder', without: ['Outcome', 'Statement'] },
      ...{ most: MOST_REFUSED, empty: null },
      tone: () => 'bad',
    }),
  ];
}

/** The list again, with what is wrong with the upload. */
export function uploadAgain(context: Context, problem: string): Promise<Page> {
  return list(context, problem).then((page) => ({ ...page, status: 422 }));
}

export const statementListRoutes: readonly Route[] = [
  lightPage('/statements', 'read', (context) => list(context), { ...FILTERS, ...AFTER }),
];
