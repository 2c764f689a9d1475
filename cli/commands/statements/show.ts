import type { StatementLine } from '../../../src/domain/statements/statement.ts';
import { lineColumns } from '../../../src/lists/statement-lines.ts';
import { statementFacts } from '../../../src/lists/statements.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { Cursor } from '../../../src/store/cursor.ts';
import type { StatementSummary } from '../../../src/store/statements.ts';
import { withArchive } from '../../context/archive.ts';
import { PAGE_OPTIONS, REVEAL_OPTION } from '../../options/filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { type Pages, printList } from '../../show/list.ts';
import { terminalColumns, terminalFacts } from '../../show/list-columns.ts';
import { print, printFacts, writeText } from '../../show/output.ts';
import { printProblems, summaryJson, unparsedJson } from '../../show/statement.ts';
import { lineJson } from '../../show/statement-line.ts';
import { noStatement, statementNumber } from './number.ts';

/** `tallyhook statements show ID`: shows a statement, what could not be read of it, and its lines. */
export function addStatementsShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one statement: its balances, unreadable rows and lines',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: 'Its number in the list' })
        .options({ limit: PAGE_OPTIONS.limit, all: PAGE_OPTIONS.all, ...REVEAL_OPTION })
        .option('profile', {
          type: 'boolean',
          default: false,
          describe: 'Write the profile that read it, nothing else',
        })
        .example('$0 statements show 12 --all --json', 'With every line')
        .example('$0 statements show 12 --profile > wallet.yaml', 'The profile as it was then'),
    async (argv) => {
      const id = statementNumber(argv.id);
      if (argv.profile && argv.json) throw new UsageError('--profile writes YAML: leave --json out.');
      await withArchive(argv, async (archive) => {
        const summary = await archive.statement(id);
        if (summary === null) throw noStatement(id);
        if (argv.profile) {
          await writeText((await archive.profileOf(id))?.text ?? '');
          return;
        }
        const unparsed = await archive.unparsedRows(id);
        if (!argv.json) {
          printFacts(terminalFacts(statementFacts(summary), summary));
          const { file, controls } = summary;
          printProblems(unparsed, unparsed.length, { file: file.name, controls, reveal: argv.reveal });
          if (summary.removedAtMs !== null) return;
          print();
        }
        const limit = argv.all ? Number.POSITIVE_INFINITY : argv.limit;
        await printList(linesOf(archive, summary, limit), argv, {
          keyOf: ({ row }) => `line:${id}/${row}`,
          json: (line) => lineJson(line, argv.reveal),
          columns: terminalColumns(lineColumns(argv)),
          empty: 'It has no lines.',
          besides: () => ({ ...summaryJson(summary), unparsed: unparsed.map(unparsedJson) }),
        });
      });
    },
  );
}

/** Lines in memory at a time. */
const AT_ONCE = 1_000;

/** The lines of a statement, page by page; its total is known. Of a removed one there are none. */
async function* linesOf(archive: Archive, summary: StatementSummary, limit: number): Pages<StatementLine> {
  const total = summary.removedAtMs === null ? summary.lines : 0;
  let [shown, after]: [number, Cursor | null] = [0, null];
  while (shown < limit) {
    const page: Awaited<ReturnType<Archive['statementLines']>> = await archive.statementLines({
      statement: summary.statement,
      after,
      limit: Math.min(AT_ONCE, limit - shown),
    });
    yield page.lines;
    shown += page.lines.length;
    after = page.next;
    if (after === null) break;
  }
  return { more: shown < total, total };
}
