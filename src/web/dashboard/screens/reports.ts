import type { Config } from '../../../config/load.ts';
import { count, figure, type ListColumn, text as textColumn, time } from '../../../lists/column.ts';
import { listPeriods } from '../../../reconcile/closing/list.ts';
import { namedPeriod } from '../../../reconcile/closing/order.ts';
import { periodTitle } from '../../../reconcile/report/html/summary.ts';
import type { PeriodSignOff, Report } from '../../../reconcile/report/model.ts';
import { REPORT_FORMATS, type ReportFormat, renderReport } from '../../../reconcile/report/render.ts';
import { type PrintedReport, periodReport, reportOfRun } from '../../../reconcile/report/shown.ts';
import { figures, restsOn } from '../../../reconcile/report/tables/chapters.ts';
import { periodClaims } from '../../../reconcile/sheet/period-claims.ts';
import type { RunSummary } from '../../../store/runs.ts';
import { addressOf, numberIn, textIn, wordIn } from '../asked.ts';
import { factsBlock, linksBlock, noticeBlock, sectionBlock, textBlock } from '../blocks.ts';
import { text, word } from '../filters.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Page, Shown, TableBlock } from '../page.ts';
import { reportBlocks } from '../report-blocks.ts';
import { asidePage, type Context, type Download, FILE_TYPES, lightPage, type Route } from '../route.ts';
import { periodAddress, periodsTable } from './periods.ts';

const MOST_RUNS = 25;

async function list({ archive, config }: Context): Promise<Page> {
  const periods = await listPeriods(archive, config.periods.sets, undefined);
  const runs = await archive.runs({ limit: MOST_RUNS, order: 'newest' });
  return {
    title: 'Reports',
    question: 'Which papers are there, to print, to send and to keep?',
    commands: ['tallyhook period list', 'tallyhook report month PERIOD'],
    regions: ['periods'],
    blocks: [
      periodsTable(periods, { caption: 'By period', address: reportAddress }),
      runsTable(runs),
      schedule(config),
    ],
  };
}

const RUN_COLUMNS: readonly ListColumn<RunSummary>[] = [
  textColumn('Run', ({ run }) => `Run ${run}`),
  textColumn('Days', ({ from, to }) => `${from} to ${to}`),
  time('Known at', ({ asAtMs }) => asAtMs),
  count('Breaks', ({ breaks }) => breaks),
  ...REPORT_FORMATS.map((format) => textColumn<RunSummary>(format.toUpperCase(), () => 'file')),
];

function runsTable(runs: readonly RunSummary[]): TableBlock {
  const files = REPORT_FORMATS.map((format) => {
    return [format.toUpperCase(), ({ run }: RunSummary) => addressOf(`/runs/${run}/file`, { format })] as const;
  });
  return listTable(RUN_COLUMNS, runs, {
    ...{ id: 'runs', caption: 'By run' },
    links: { Run: ({ run }) => addressOf('/proof', { run }), ...Object.fromEntries(files) },
    empty: { text: 'No run is kept yet.', next: 'Reconcile the days of a period on its page.' },
  });
}

function reportAddress({ set, period }: { readonly set: string; readonly period: string }): string {
  return `/reports/${encodeURIComponent(set)}/${encodeURIComponent(period)}`;
}

/** When the last month is reported by itself, and where to. */
function schedule({ reports, schedule: { report, timeZone }, timeZone: zone }: Config): Block {
  const { folder, formats, mail } = reports;
  const isSet = report !== null && report !== undefined;
  return sectionBlock(
    'schedule',
    'By itself',
    [
      factsBlock([
        ['When', isSet ? [{ text: report, as: 'code' }, { text: `in ${timeZone ?? zone}` }] : 'never'],
        ['Into the folder', folder === null ? null : { text: folder, as: 'code' }],
        ['By mail to', mail === null ? null : mail.join(', ')],
        ['As', formats.join(', ')],
      ]),
      textBlock('The configuration says so (reports, schedule.report).', {
        tone: 'quiet',
        links: [{ text: 'The job and its last run', href: '/jobs' }],
      }),
    ],
    'The last whole month of each set, each time that something new is known of it.',
  );
}

/** The report of a period: the frozen one, once it is closed. */
async function show(context: Context): Promise<Page> {
  const { archive, params, config } = context;
  const named = { period: params.period ?? '', set: params.set ?? '' };
  const order = await namedPeriod(named, archive, config);
  const { report, signOff } = await periodReport(archive, order, { withSince: false });
  const file = `${reportAddress(named)}/file`;
  return {
    title: `${periodTitle(report)}, ${order.set.name}`,
    question:
      signOff === null ? 'How do these days stand now?' : 'What was frozen, who signed it, and what came since?',
    commands: [`tallyhook report period ${order.period.name} --set ${order.set.name} --format html --out FILE`],
    trail: [{ text: 'Reports', href: '/reports' }],
    regions: ['periods'],
    blocks: [
      signOff === null ? NOT_FROZEN : frozen(signOff),
      linksBlock('This report as a file', [
        ...REPORT_FORMATS.map((format) => ({ text: FILES[format], href: addressOf(file, { format }) })),
        { text: 'Claims to send, CSV', href: `${reportAddress(named)}/claims` },
        { text: 'The period', href: periodAddress(named) },
        ...(signOff === null ? [] : [{ text: 'What came since', href: `${periodAddress(named)}/since` }]),
      ]),
      factsBlock(signed(report, signOff)),
      ...reportBlocks([...figures(report, signOff), ...restsOn(report, signOff)]),
    ],
  };
}

const FILES: Readonly<Record<ReportFormat, string>> = {
  html: 'One page to print or send (HTML), with every story',
  xlsx: 'Workbook (XLSX)',
  csv: 'Figures (CSV)',
  json: 'Figures (JSON), the bytes of the digest',
};

const NOT_FROZEN: Block = noticeBlock(
  'quiet',
  'The period is open: these are the figures of the last run of its days, and they may change.',
);

function frozen({ state, closing, digest }: PeriodSignOff): Block {
  return noticeBlock(
    'good',
    `Frozen at closing ${closing}, and ${state}. Its bytes have the sha256 ${digest.slice(0, 12)}…; nothing below changes any more.`,
  );
}

function signed(report: Report, signOff: PeriodSignOff | null) {
  const approved = signOff?.approved ?? report.approved;
  const facts = [
    ['Known at', { ms: Date.parse(report.asAt) }],
    ['Days', `${report.from} to ${report.to}, to ${report.cutOff} in ${report.zone}`],
    [
      'Prepared by',
      report.prepared === null ? null : [{ text: report.prepared.who }, { ms: Date.parse(report.prepared.at) }],
    ],
    ['Approved by', approved === null ? null : [{ text: approved.who }, { ms: Date.parse(approved.at) }]],
    ['Digest', signOff === null ? null : { text: signOff.digest, as: 'digest' }],
  ] satisfies readonly (readonly [string, Shown])[];
  return facts.filter(([, value]) => value !== null);
}

async function fileOf(context: Context, name: string, shown: PrintedReport): Promise<Download> {
  const format = wordIn(context.query, 'format', REPORT_FORMATS) ?? 'html';
  const bytes = await renderReport(context.archive, shown, format);
  return { name: `${name}.${format}`, type: FILE_TYPES[format], bytes };
}

async function periodFile(context: Context): Promise<Download> {
  const { archive, params, config } = context;
  const order = await namedPeriod({ period: params.period ?? '', set: params.set }, archive, config);
  return fileOf(context, `${order.period.name}-${order.set.name}`, await periodReport(archive, order));
}

async function runFile(context: Context): Promise<Download> {
  const { archive, params } = context;
  const run = numberIn(new URLSearchParams({ run: params.run ?? '' }), 'run');
  return fileOf(context, `run-${run}`, await reportOfRun(archive, run));
}

type ClaimFile = Awaited<ReturnType<typeof periodClaims>>['files'][number];

const CLAIM_COLUMNS: readonly ListColumn<ClaimFile>[] = [
  textColumn('File', ({ name }) => name),
  count('Claims', ({ claims }) => claims),
  figure('Together', ({ difference, currency }) => `${difference} ${currency}`),
];

/** The claims of a period as files to send: one, or the one of the currency that is asked for. */
async function claims({ archive, params, query, config }: Context): Promise<Download | Page> {
  const named = { period: params.period ?? '', set: params.set ?? '' };
  const { period } = await namedPeriod(named, archive, config);
  const { files: all, repeated } = await periodClaims(archive, period);
  const currency = textIn(query, 'currency');
  const [only, ...others] = all.filter((one) => currency === undefined || one.currency === currency);
  if (only !== undefined && others.length === 0) return { name: only.name, type: FILE_TYPES.csv, bytes: only.text };
  const table = listTable(CLAIM_COLUMNS, all, {
    ...{ id: 'claims', caption: 'A file for each currency' },
    links: { File: (one) => addressOf(`${reportAddress(named)}/claims`, { currency: one.currency }) },
    empty: { text: `Nothing of ${period.name} is claimed.`, next: 'Resolve an exception as a claim first.' },
    ...(repeated.length > 0 && { note: `${repeated.length} repeat a difference that is not claimed.` }),
  });
  return {
    title: `Claims of ${period.name}`,
    question: 'What does the service owe?',
    commands: [`tallyhook exceptions export --claims ${period.name} --out FOLDER`],
    trail: [
      { text: 'Reports', href: '/reports' },
      { text: period.name, href: reportAddress(named) },
    ],
    blocks: [table],
  };
}

const FORMAT = { format: word('Format', REPORT_FORMATS) };

export const reportRoutes: readonly Route[] = [
  lightPage('/reports', 'read', list),
  lightPage('/reports/:set/:period', 'read', show),
  asidePage('/reports/:set/:period/file', 'read', periodFile, FORMAT),
  asidePage('/reports/:set/:period/claims', 'read', claims, { currency: text('Currency') }),
  asidePage('/runs/:run/file', 'read', runFile, FORMAT),
];
