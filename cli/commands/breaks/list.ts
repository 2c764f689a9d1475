import { TallyhookError } from '../../../src/domain/error.ts';
import { BREAK_CODES } from '../../../src/domain/reconciling/break.ts';
import { breakColumns } from '../../../src/lists/breaks.ts';
import type { BreakFilter, RunArchive, RunSummary } from '../../../src/store/runs.ts';
import { withArchive } from '../../context/archive.ts';
import { COMMON_FILTERS, oneOrMore, PAGE_OPTIONS } from '../../options/filters.ts';
import { type Cli, wholeNumberOption } from '../../options/options.ts';
import { keptBreakJson } from '../../show/kept-break.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { isoTime } from '../../show/text.ts';

/** `tallyhook breaks list`: lists the breaks of the last run, in its order. */
export function addBreaksListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List the breaks of the last run',
    (command) =>
      command
        .options({ environment: COMMON_FILTERS.environment, reference: COMMON_FILTERS.reference })
        .option('code', oneOrMore(BREAK_CODES, 'Only of this code'))
        .option('leg', { type: 'string', requiresArg: true, describe: 'Only of this leg, such as records-wallet' })
        .option('account', { type: 'string', requiresArg: true, describe: 'Only of this account' })
        .option('run', wholeNumberOption('run', { standard: undefined, describe: 'Of this run, not of the last one' }))
        .options({ limit: PAGE_OPTIONS.limit, all: PAGE_OPTIONS.all })
        .example('$0 breaks list --code missing_external', 'Records without a line'),
    async (argv) => {
      await withArchive(argv, async (archive) => {
        const run = await runOf(archive, argv.run);
        const filter = { ...filterOf(argv), ...(run !== null && { run: run.run }) };
        const limit = argv.all ? Number.POSITIVE_INFINITY : argv.limit;
        const pages = pagesOf(
          { limit, order: 'oldest' },
          async (page) => (await archive.breaks(filter, page)).map((one) => ({ ...one, break: one, id: one.place })),
          () => archive.countBreaks(filter),
        );
        await printList(pages, argv, {
          json: (row) => keptBreakJson(row.break),
          columns: terminalColumns(breakColumns()).map((column) => ({
            ...column,
            value: (row) => column.value(row.break),
          })),
          empty: run === null ? 'No run has been kept yet.' : `No breaks of run ${run.run} match.`,
          besides: () => ({ run: runJson(run) }),
        });
      });
    },
  );
}

async function runOf(archive: RunArchive, run: number | undefined): Promise<RunSummary | null> {
  if (run === undefined) return archive.lastRun();
  const found = await archive.run(run);
  if (found !== null) return found;
  const hint = 'The last one: tallyhook breaks list';
  throw new TallyhookError(`There is no run ${run}.`, { kind: 'not_found', hint });
}

export function runJson(run: RunSummary | null) {
  if (run === null) return null;
  const { run: number, from, to, what, environment, account, finishedAtMs } = run;
  return { run: number, from, to, what, environment, account, finishedAt: isoTime(finishedAtMs) };
}

type Filters = {
  readonly [Name in Exclude<keyof BreakFilter, 'codes' | 'run' | 'carried'>]-?: BreakFilter[Name] | undefined;
} & {
  readonly code: readonly (typeof BREAK_CODES)[number][] | undefined;
};

function filterOf({ code, leg, environment, account, reference }: Filters): BreakFilter {
  return {
    ...(code !== undefined && { codes: code }),
    ...(leg !== undefined && { leg }),
    ...(environment !== undefined && { environment }),
    ...(account !== undefined && { account }),
    ...(reference !== undefined && { reference }),
  };
}
