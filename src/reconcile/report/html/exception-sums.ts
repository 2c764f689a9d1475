import { isZero, sumOf } from '../decimal.ts';
import type { ExceptionSum, Report, ReportWaiting } from '../model.ts';
import {
  type Block,
  byCurrency,
  type Column,
  cell,
  figure,
  head,
  placeName,
  row,
  type Section,
  type Table,
  word,
} from './blocks.ts';
import { stackedBars } from './charts/stacked-bars.ts';
import { counted, grouped, signed, worded } from './text.ts';

/** Where the exceptions of a code stand on the page: the id of their list; undefined: it holds none of them. */
export type FirstGroup = (
  sum: Pick<ExceptionSum, 'environment' | 'currency'> & { readonly code: string },
) => string | undefined;

/** What has to be explained: by code, age and resolution; then what is no exception, and the money of these records. */
export function exceptionSums(
  { exceptions, waiting, atRisk, environment: only }: Report,
  firstGroup: FirstGroup,
): Section {
  const { byCode, byAge, byResolution, repeated } = exceptions;
  const blocks: Block[] = [];
  for (const [at, sums] of byCurrency(byCode).entries()) {
    const name = placeName(sums[0] as ExceptionSum, only);
    const named = sums.map((sum) => ({ ...sum, name: sum.code, to: firstGroup(sum) }));
    blocks.push(sumBlock(named, { id: `by-code-${at + 1}`, title: `By code, ${name}`, column: 'Code' }));
  }
  for (const [at, sums] of byCurrency(byAge).entries()) {
    const name = placeName(sums[0] as ExceptionSum, only);
    const named = sums.map((sum) => ({ ...sum, name: ageName(sum.age) }));
    blocks.push(sumBlock(named, { id: `by-age-${at + 1}`, title: `By age, ${name}`, column: 'Age' }));
  }
  const resolution = (sum: (typeof byResolution)[number]) =>
    sum.resolution === null ? 'Not resolved' : [worded(sum.resolution), sum.reasonCode].filter(Boolean).join(': ');
  if (byResolution.length > 0) {
    const rows = byResolution.map((sum) => row(resolution(sum), placeName(sum, only), ...sumCells(sum, byResolution)));
    blocks.push({
      title: 'By resolution',
      chart: null,
      table: {
        caption: 'Exceptions by resolution',
        columns: [head('Resolution'), word('Currency'), ...sumColumns(byResolution)],
        rows,
      },
    });
  }
  if (repeated.length > 0) {
    blocks.push({
      title: 'Repeated by settlement statements, in no sum above',
      chart: null,
      table: {
        caption: 'Exceptions of settlement statements that repeat one of a wallet',
        columns: [head('Currency'), ...sumColumns(repeated)],
        rows: repeated.map((sum) => row(placeName(sum, only), ...sumCells(sum, repeated))),
      },
      note: REPEATED_NOTE,
    });
  }
  if (waiting.length > 0)
    blocks.push({
      title: 'Waiting, and no exceptions',
      chart: null,
      table: waitingTable(waiting, only),
      note: WAITING_NOTE,
    });
  if (atRisk.length > 0) {
    const columns = [head('Currency'), figure('Records'), figure('Amount')];
    const rows = atRisk.map((one) => row(placeName(one, only), counted(one.records), grouped(one.amount)));
    blocks.push({
      title: 'Money of records with an exception',
      chart: null,
      table: { caption: 'Money of records with an exception, each record once', columns, rows },
    });
  }
  return {
    id: 'exceptions',
    title: 'Exceptions',
    lead: 'Every difference that somebody must explain. A count leads to the exceptions behind it. Effect is what an exception adds to the balance by the statement; that of an account without a balance proof stands apart.',
    blocks,
    nothing: 'There is no exception.',
  };
}

const REPEATED_NOTE =
  'A settlement statement shows again what the wallet shows. Each difference is counted once above, where the wallet shows it.';
const WAITING_NOTE =
  'Items that are not due yet, wait for a person to confirm them, or are carried from an earlier period.';

/** The last column only where some effect is outside the balance proof. */
function sumColumns(sums: readonly ExceptionSum[]): Column[] {
  const columns = [figure('Count'), figure('Open'), figure('Variance'), figure('Effect')];
  return isAnyOutside(sums) ? [...columns, figure('Outside the proof')] : columns;
}

function isAnyOutside(sums: readonly ExceptionSum[]): boolean {
  return sums.some(({ effectOutside }) => !isZero(effectOutside));
}

interface NamedSum extends ExceptionSum {
  readonly name: string;
  readonly to?: string | undefined;
}

function sumBlock(
  sums: readonly NamedSum[],
  { id, title, column }: { id: string; title: string; column: string },
): Block {
  const rows = sums.map(({ name, count, open }) => ({
    name,
    parts: [open, count - open].map((size) => ({ size, shown: counted(size) })),
    total: counted(count),
  }));
  return {
    id,
    title,
    chart: stackedBars({
      id: `${id}-chart`,
      title: `Exceptions: ${title}`,
      parts: ['Open', 'Resolved'],
      colours: 'state',
      rows,
    }),
    table: {
      caption: `Exceptions: ${title}`,
      columns: [head(column), ...sumColumns(sums)],
      rows: sums.map((sum) => row(sum.name, ...sumCells(sum, sums))),
      totals: [row('Total', ...sumCells(totalOf(sums), sums))],
    },
  };
}

function totalOf(sums: readonly ExceptionSum[]) {
  return {
    count: sums.reduce((sum, one) => sum + one.count, 0),
    open: sums.reduce((sum, one) => sum + one.open, 0),
    variance: sumOf(sums.map(({ variance }) => variance)),
    effect: sumOf(sums.map(({ effect }) => effect)),
    effectOutside: sumOf(sums.map(({ effectOutside }) => effectOutside)),
  };
}

/** `all`: the sums of the table. */
function sumCells(
  { count, open, variance, effect, effectOutside, to }: Omit<NamedSum, 'name' | 'environment' | 'currency'>,
  all: readonly ExceptionSum[],
) {
  return [
    cell(counted(count), { to }),
    cell(counted(open), { mark: open > 0 ? 'bad' : undefined }),
    signed(variance),
    signed(effect),
    ...(isAnyOutside(all) ? [signed(effectOutside)] : []),
  ];
}

const LISTS: Readonly<Record<ReportWaiting['list'], string>> = {
  timing: 'Not due yet',
  suggested: 'Suggested matches',
  carried: 'Carried from before',
  not_confirmed: 'Not confirmed: no endpoint',
};

function waitingTable(waiting: readonly ReportWaiting[], only: Report['environment']): Table {
  return {
    caption: 'Items that are no exceptions',
    columns: [head('List'), word('Account and currency'), figure('Count'), figure('Effect')],
    rows: waiting.map((one) =>
      row(LISTS[one.list], placeName(one, only), counted(one.count), isZero(one.effect) ? '0.00' : signed(one.effect)),
    ),
  };
}

/** `1-3d` as `1 to 3 days` */
export function ageName(age: string): string {
  return { '<24h': 'Under 1 day', '1-3d': '1 to 3 days', '3-7d': '3 to 7 days', '>7d': 'Over 7 days' }[age] ?? age;
}
