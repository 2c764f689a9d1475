import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addDashboardOpenCommand } from './dashboard/open.ts';
import { addDashboardRoutesCommand } from './dashboard/routes.ts';

/** `tallyhook dashboard …`: the dashboard alone, and its routes. Without a subcommand it is `open`. */
export function addDashboardCommand(cli: Cli): Cli {
  return cli.command('dashboard', SUMMARY.dashboard, (dashboard) => {
    addDashboardOpenCommand(dashboard);
    addDashboardRoutesCommand(dashboard);
    return dashboard;
  });
}
