import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { TallyhookError } from '../src/domain/error.ts';
import { packageVersion } from '../src/package-root.ts';
import { addBackfillCommand } from './commands/backfill.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addCheckoutCommand } from './commands/checkout.ts';
import { addCollectionsCommand } from './commands/collections.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventsCommand } from './commands/events.ts';
import { addFindingsCommand } from './commands/findings.ts';
import { addHealthCommand } from './commands/health.ts';
import { addInitCommand } from './commands/init.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addPayoutsCommand } from './commands/payouts.ts';
import { addPruneCommand } from './commands/prune.ts';
import { addRefundsCommand } from './commands/refunds.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { addSandboxCommand } from './commands/sandbox.ts';
import { addScheduleCommand } from './commands/schedule.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSqlCommand } from './commands/sql.ts';
import { addStatsCommand } from './commands/stats.ts';
import { addStuckCommand } from './commands/stuck.ts';
import { addSweepCommand } from './commands/sweep.ts';
import { addTrackCommand } from './commands/track.ts';
import { addTriggerCommand } from './commands/trigger.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addWhyCommand } from './commands/why.ts';
import { type Cli, usageError } from './options.ts';
import { leaveWithParent, reportError, survivePipeEnd } from './process.ts';

// The command line: one command is one file in commands/, added here in one line.
const COMMANDS: readonly ((cli: Cli) => unknown)[] = [
  addDemoCommand,
  addDoctorCommand,
  addInitCommand,
  addSandboxCommand,
  addServeCommand,
  addTriggerCommand,
  addVerifyCommand,
  addEventsCommand,
  addRefundsCommand,
  addPayoutsCommand,
  addCollectionsCommand,
  addCheckoutCommand,
  addSweepCommand,
  addBackfillCommand,
  addTrackCommand,
  addWhyCommand,
  addScheduleCommand,
  addFindingsCommand,
  addStuckCommand,
  addHealthCommand,
  addStatsCommand,
  addSqlCommand,
  addBackupCommand,
  addRestoreCommand,
  addPruneCommand,
  addMigrateCommand,
];

leaveWithParent();
survivePipeEnd();

const cli: Cli = yargs(hideBin(process.argv))
  .scriptName('tallyhook')
  .locale('en')
  .parserConfiguration({
    'duplicate-arguments-array': false,
    'parse-numbers': false,
    'parse-positional-numbers': false,
  })
  .usage('$0 <command>\n\nReceives, keeps, confirms and reconciles the webhooks of one payment service.')
  .option('config', {
    type: 'string',
    requiresArg: true,
    global: true,
    describe: 'Configuration file [./tallyhook.yaml]',
  })
  .option('json', { type: 'boolean', global: true, describe: 'Print the result as JSON (fields: docs/cli.md)' })
  .option('verbose', { type: 'boolean', global: true, describe: 'Show the stack trace of an error' })
  .version(packageVersion())
  .demandCommand(1, 'Which command?')
  .strict()
  .strictCommands()
  .exitProcess(false)
  .fail((message, error) => {
    // yargs words its own complaints in `message`; what a command throws comes without one.
    throw error instanceof TallyhookError || !message ? error : usageError(message);
  })
  .wrap(Math.min(120, process.stdout.columns ?? 120))
  .example('$0 init', 'Write tallyhook.yaml and .env')
  .example('$0 trigger refund.success', 'Send a correctly signed sample to the receiver')
  .example('$0 verify body.json --headers headers.txt', 'Say why a signature fails')
  .epilogue('Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 done and differences found.');
for (const addCommand of COMMANDS) addCommand(cli);

try {
  await cli.parseAsync();
} catch (error) {
  reportError(error, cli);
}
