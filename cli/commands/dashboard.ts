import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  open: async () => (await import('./dashboard/open.ts')).addDashboardOpenCommand,
  routes: async () => (await import('./dashboard/routes.ts')).addDashboardRoutesCommand,
};

/** `tallyhook dashboard …`: the dashboard alone, and its routes. Without a subcommand it is `open`. */
export const dashboardCommand = (word: string | undefined) => commandGroup('dashboard', word, SUBCOMMANDS, null);
