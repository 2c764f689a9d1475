import { statementColumns } from '../../../src/lists/statements.ts';
import type { StatementFilter } from '../../../src/store/statements.ts';
import { withArchive } from '../../context/archive.ts';
import { COMMON_FILTERS, PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { summaryJson } from '../../show/statement.ts';

/** `tallyhook statements list`: lists statements, the latest first. */
export function addStatementsListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List statements, the latest first',
    (command) =>
      command
        .options({ environment: COMMON_FILTERS.environment, ...PAGE_OPTIONS })
        .option('account', { type: 'string', requiresArg: true, describe: 'Only of this account' })
        .option('removed', { type: 'boolean', default: false, describe: 'Also those that were removed' })
        .example('$0 statements list --account wallet-main', 'Those of one account'),
    async (argv) => {
      const filter = filterOf(argv);
      await withArchive(argv, (archive) => {
        const pages = pagesOf(
          pageOf(argv),
          async (page) => (await archive.statements(filter, page)).map((one) => ({ id: one.statement, ...one })),
          () => archive.countStatements(filter),
        );
        return printList(pages, argv, {
          json: summaryJson,
          columns: terminalColumns(statementColumns(argv.removed)),
          empty: 'No statements match.',
        });
      });
    },
  );
}

type Filters = { readonly [Name in keyof StatementFilter]-?: StatementFilter[Name] | undefined };

function filterOf({ account, environment, removed }: Filters): StatementFilter {
  return {
    ...(account !== undefined && { account }),
    ...(environment !== undefined && { environment }),
    ...(removed !== undefined && { removed }),
  };
}
