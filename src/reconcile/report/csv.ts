import { amountCell, dayCell, type SheetCell, textCell, valueCell, wholeCell } from '../sheet/cells.ts';
import { csvFile } from '../sheet/csv.ts';
import type { Line } from './csv-line.ts';
import { linesOf } from './csv-lines.ts';
import type { PeriodStanding, Report } from './model.ts';

type Cells = { readonly [Name in keyof Required<Line>]: (line: Line) => SheetCell };

const COLUMNS: Cells = {
  section: ({ section }) => textCell(section),
  environment: ({ environment }) => textCell(environment ?? null),
  account: ({ account }) => textCell(account ?? null),
  currency: ({ currency }) => textCell(currency ?? null),
  item: ({ item }) => textCell(item ?? null),
  detail: ({ detail }) => textCell(detail ?? null),
  date: ({ date }) => dayCell(date ?? null),
  count: ({ count }) => (count === undefined ? null : wholeCell(count)),
  open: ({ open }) => (open === undefined ? null : wholeCell(open)),
  ours: ({ ours }) => valueCell(ours ?? null),
  theirs: ({ theirs }) => valueCell(theirs ?? null),
  difference: ({ difference }) => amountCell(difference ?? null),
  variance: ({ variance }) => amountCell(variance ?? null),
  effect: ({ effect }) => amountCell(effect ?? null),
  amount: ({ amount }) => amountCell(amount ?? null),
  effectOutside: ({ effectOutside }) => amountCell(effectOutside ?? null),
  reference: ({ reference }) => textCell(reference ?? null),
  since: ({ since }) => textCell(since ?? null),
  status: ({ status }) => textCell(status ?? null),
  resolution: ({ resolution }) => textCell(resolution ?? null),
};

const HEADER = Object.keys(COLUMNS).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** The figures of a report as one table, a figure to a row, control totals last. */
export function reportCsv(report: Report, standing: PeriodStanding | null): string {
  const cells = linesOf(report, standing).map((line) => Object.values(COLUMNS).map((cell) => cell(line)));
  return csvFile(HEADER, cells);
}
