import { isZero } from '../decimal.ts';
import type { ExceptionSum, Report, ReportWaiting } from '../model.ts';
import { type Block, byCurrency, figure, head, placeName, row, type Section, type Table, word } from './blocks.ts';
import { ageName, repeatedBlock, sumBlock, sumCells, sumColumns } from './sum-blocks.ts';
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
  if (repeated.length > 0) blocks.push(repeatedBlock(repeated, only));
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
    lead: 'Every difference that needs an explanation. A count leads to the exceptions behind it. Effect is what an exception adds to the balance by the statement; that of an account without a balance proof stands apart.',
    blocks,
    nothing: 'There is no exception.',
  };
}

const WAITING_NOTE =
  'Items that are not due yet, wait for a person to confirm them, or are carried from an earlier period.';

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
