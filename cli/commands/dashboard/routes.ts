import { type ListColumn, text } from '../../../src/lists/column.ts';
import type { RouteRow } from '../../../src/web/dashboard/router.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';

/** `tallyhook dashboard routes`: every route with the roles that may use it. */
export function addDashboardRoutesCommand(cli: Cli): Cli {
  return cli.command(
    'routes',
    'List every route: method, path, act, the roles that may, and where it is computed',
    (command) => command.example('$0 dashboard routes --json', 'For a robot that tries each as each role'),
    async (argv) => {
      const { Router } = await import('../../../src/web/dashboard/router.ts');
      const { routes } = await import('../../../src/web/dashboard/routes.ts');
      const rows = new Router(await routes()).rows();
      await printList(wholeList(rows), argv, {
        json: (row) => row,
        columns: terminalColumns(COLUMNS),
        empty: 'There are no routes.',
      });
    },
  );
}

const COLUMNS: readonly ListColumn<RouteRow>[] = [
  text('Method', ({ method }) => method),
  text('Path', ({ path }) => path),
  text('Act', ({ act }) => act),
  text('Roles', ({ roles }) => roles.join(', ')),
  text('Weight', ({ weight }) => weight),
];
