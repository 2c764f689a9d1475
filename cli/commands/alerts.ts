import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addAlertsCheckCommand } from './alerts/check.ts';
import { addAlertsListCommand } from './alerts/list.ts';
import { addAlertsShowCommand } from './alerts/show.ts';
import { addAlertsSilenceCommand } from './alerts/silence.ts';
import { addAlertsTestCommand } from './alerts/test.ts';

/** `tallyhook alerts …`: what is not well, and who was told. Without a subcommand it is `list`. */
export function addAlertsCommand(cli: Cli): Cli {
  return cli.command('alerts', SUMMARY.alerts, (alerts) => {
    addAlertsListCommand(alerts);
    addAlertsShowCommand(alerts);
    addAlertsSilenceCommand(alerts);
    addAlertsTestCommand(alerts);
    addAlertsCheckCommand(alerts);
    return alerts;
  });
}
