import { isZero, sumOf } from '../decimal.ts';
import type { ExceptionSum, Report } from '../model.ts';
import { type Block, type Column, cell, figure, head, placeName, row } from './blocks.ts';
import { stackedBars } from './charts/stacked-bars.ts';
import { counted, signed } from './text.ts';

// Sums of exceptions as blocks of a page: a chart and a table of the same figures.

interface NamedSum extends ExceptionSum {
  readonly name: string;
  readonly to?: string | undefined;
}

export function sumBlock(
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
export function sumCells(
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

/** Those of settlement statements that repeat one of a wallet. */
export function repeatedBlock(repeated: readonly ExceptionSum[], only: Report['environment'], before = ''): Block {
  return {
    title: `Repeated by settlement statements, in no sum above${before}`,
    chart: null,
    table: {
      caption: `Exceptions of settlement statements that repeat one of a wallet${before}`,
      columns: [head('Currency'), ...sumColumns(repeated)],
      rows: repeated.map((sum) => row(placeName(sum, only), ...sumCells(sum, repeated))),
    },
    note: repeated.every(({ effect }) => isZero(effect)) ? REPEATED_NOTE : `${REPEATED_NOTE} ${IN_ITS_PROOF}`,
  };
}

const REPEATED_NOTE =
  'A settlement statement shows again what the wallet shows. Each difference is counted once above, where the wallet shows it.';
const IN_ITS_PROOF =
  'Where that statement states a balance, the effect is part of the proof of its own account: with the effects above it is what exceptions explain in all proofs.';

/** The last column only where some effect is outside the balance proof. */
export function sumColumns(sums: readonly ExceptionSum[]): Column[] {
  const columns = [figure('Count'), figure('Open'), figure('Variance'), figure('Effect')];
  return isAnyOutside(sums) ? [...columns, figure('Outside the proof')] : columns;
}

function isAnyOutside(sums: readonly ExceptionSum[]): boolean {
  return sums.some(({ effectOutside }) => !isZero(effectOutside));
}

/** `1-3d` as `1 to 3 days` */
export function ageName(age: string): string {
  return { '<24h': 'Under 1 day', '1-3d': '1 to 3 days', '3-7d': '3 to 7 days', '>7d': 'Over 7 days' }[age] ?? age;
}
