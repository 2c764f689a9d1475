import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./alerts/list.ts')).addAlertsListCommand,
  show: async () => (await import('./alerts/show.ts')).addAlertsShowCommand,
  silence: async () => (await import('./alerts/silence.ts')).addAlertsSilenceCommand,
  test: async () => (await import('./alerts/test.ts')).addAlertsTestCommand,
  check: async () => (await import('./alerts/check.ts')).addAlertsCheckCommand,
};

/** `tallyhook alerts …`: what is not well, and who was told. Without a subcommand it is `list`. */
export const alertsCommand = (word: string | undefined) => commandGroup('alerts', word, SUBCOMMANDS, null);
