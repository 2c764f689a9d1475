import { ExceptionSums } from '../../../src/domain/exceptions/sums.ts';
import { exceptionColumns, exceptionKindColumns } from '../../../src/lists/breaks.ts';
import type { QueueDay } from '../../../src/reconcile/exceptions/queue.ts';
import type { Cursor } from '../../../src/store/cursor.ts';
import type { Exception, ExceptionArchive, ExceptionFilter, ExceptionTotal } from '../../../src/store/exceptions.ts';
import { EXCEPTION_FILTERS, exceptionFilter } from '../../options/exception-filters.ts';
import { PAGE_OPTIONS } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { exceptionJson } from '../../show/exception.ts';
import { type Pages, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { differencesFound, note, printJson, printTable } from '../../show/output.ts';
import { withQueue } from './queue.ts';

/** `tallyhook exceptions list`: lists the queue by account, currency, code and date. Exit code 3 while one of them is overdue. */
export function addExceptionsListCommand(cli: Cli): Cli {
  const { limit, all } = PAGE_OPTIONS;
  return cli.command(
    'list',
    'List what must be explained; exit code 3 while one is overdue',
    (command) =>
      command
        .options({ ...EXCEPTION_FILTERS, limit, all })
        .option('kinds', { type: 'boolean', default: false, describe: 'Count them by kind instead of listing them' })
        .example('$0 exceptions list --age ">7d" --min-value 1000', 'What is old and large')
        .example('$0 exceptions list --assignee ada --period 2026-10', 'What Ada has to clear up of October')
        .example('$0 exceptions list --kinds', 'How many of each kind'),
    async (argv) => {
      await withQueue(argv, async (archive, _config, day) => {
        const asked = exceptionFilter(argv, day.today);
        const filter = argv.overdue ? { ...asked, overdue: day.bounds } : asked;
        if (argv.kinds) await printKinds(archive, filter, argv);
        else await printQueue(archive, filter, argv, day);
        const overdue = { ...filter, overdue: day.bounds };
        if ((await archive.exceptions(overdue, { after: null, limit: 1 })).rows.length > 0) differencesFound();
      });
    },
  );
}

interface ListArguments {
  readonly all: boolean;
  readonly limit: number;
  readonly json: boolean | undefined;
}

async function printQueue(archive: Queue, filter: ExceptionFilter, argv: ListArguments, day: QueueDay): Promise<void> {
  const pages = argv.all ? everyPage(archive, filter) : somePages(archive, filter, argv.limit);
  let totals: readonly ExceptionTotal[] = [];
  await printList(
    withTotals(pages, (sums) => {
      totals = sums;
    }),
    argv,
    {
      json: (one) => exceptionJson(one, day),
      name: 'exceptions',
      columns: terminalColumns(exceptionColumns(day)),
      empty: 'No exceptions match.',
      besides: () => ({ asOf: day.today, totals }),
    },
  );
  if (!argv.json) for (const total of totals) note(totalText(total));
}

async function printKinds(
  archive: Pick<ExceptionArchive, 'exceptionKinds'>,
  filter: ExceptionFilter,
  { json }: ListArguments,
): Promise<void> {
  const kinds = await archive.exceptionKinds(filter);
  if (json) printJson({ kinds });
  else printTable(kinds, terminalColumns(exceptionKindColumns()), 'No exceptions match.');
}

/** Rows in memory at a time. */
const AT_ONCE = 1_000;

type Queue = Pick<ExceptionArchive, 'exceptions' | 'exceptionTotals'>;
/** Exceptions some at a time; the sums of all that match at the end. */
type SummedPages = AsyncGenerator<
  readonly Exception[],
  { readonly more: boolean; readonly totals: readonly ExceptionTotal[] }
>;

/** The first ones, up to a limit. */
async function* somePages(archive: Queue, filter: ExceptionFilter, limit: number): SummedPages {
  let after: Cursor | null = null;
  for (let left = limit; left > 0; ) {
    const page: Awaited<ReturnType<Queue['exceptions']>> = await archive.exceptions(filter, {
      after,
      limit: Math.min(AT_ONCE, left),
    });
    yield page.rows;
    left -= page.rows.length;
    after = page.next;
    if (after === null) break;
  }
  return { more: after !== null, totals: await archive.exceptionTotals(filter) };
}

/** All of them, added up as they pass: to read them once more takes as long as to print them. */
async function* everyPage(archive: Queue, filter: ExceptionFilter): SummedPages {
  const sums = new ExceptionSums();
  let after: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<Queue['exceptions']>> = await archive.exceptions(filter, { after, limit: AT_ONCE });
    for (const one of page.rows) sums.add(one);
    yield page.rows;
    after = page.next;
  } while (after !== null);
  return { more: false, totals: sums.totals() };
}

async function* withTotals(pages: SummedPages, take: (totals: readonly ExceptionTotal[]) => void): Pages<Exception> {
  const { more, totals } = yield* pages;
  take(totals);
  return { more, total: totals.reduce((sum, { count }) => sum + count, 0) };
}

/** `12 in NGN: variance 30.00, effect -1204.50` */
function totalText({ currency, count, variance, effect }: ExceptionTotal): string {
  return `${count} in ${currency ?? 'no currency'}: variance ${variance}, effect ${effect}`;
}
