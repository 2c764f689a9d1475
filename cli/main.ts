import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { TallyhookError } from '../src/domain/error.ts';
import { packageVersion } from '../src/package-root.ts';
import { leaveWithParent, reportError, survivePipeEnd } from './context/process.ts';
import { type Cli, usageError } from './options/options.ts';

// The command line. Each command is one file in commands/ and one line here; only the named command is loaded.
const COMMANDS: Readonly<Record<string, () => Promise<(cli: Cli) => unknown>>> = {
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  init: async () => (await import('./commands/init.ts')).addInitCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).addSandboxCommand,
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
  trigger: async () => (await import('./commands/trigger.ts')).addTriggerCommand,
  verify: async () => (await import('./commands/verify.ts')).addVerifyCommand,
  events: async () => (await import('./commands/events.ts')).addEventsCommand,
  refunds: async () => (await import('./commands/refunds.ts')).addRefundsCommand,
  payouts: async () => (await import('./commands/payouts.ts')).addPayoutsCommand,
  collections: async () => (await import('./commands/collections.ts')).addCollectionsCommand,
  checkout: async () => (await import('./commands/checkout.ts')).addCheckoutCommand,
  sweep: async () => (await import('./commands/sweep.ts')).addSweepCommand,
  backfill: async () => (await import('./commands/backfill.ts')).addBackfillCommand,
  track: async () => (await import('./commands/track.ts')).addTrackCommand,
  why: async () => (await import('./commands/why.ts')).addWhyCommand,
  schedule: async () => (await import('./commands/schedule.ts')).addScheduleCommand,
  findings: async () => (await import('./commands/findings.ts')).addFindingsCommand,
  stuck: async () => (await import('./commands/stuck.ts')).addStuckCommand,
  status: async () => (await import('./commands/status.ts')).addStatusCommand,
  health: async () => (await import('./commands/health.ts')).addHealthCommand,
  stats: async () => (await import('./commands/stats.ts')).addStatsCommand,
  sql: async () => (await import('./commands/sql.ts')).addSqlCommand,
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
  prune: async () => (await import('./commands/prune.ts')).addPruneCommand,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
};

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
    // `message` is set for errors of yargs only; an error that a command throws comes alone.
    throw error instanceof TallyhookError || !message ? error : usageError(message);
  })
  .wrap(Math.min(120, process.stdout.columns ?? 120))
  .example('$0 init', 'Write tallyhook.yaml and .env')
  .example('$0 trigger refund.success', 'Send a correctly signed sample to the receiver')
  .example('$0 verify body.json --headers headers.txt', 'Show why a signature fails')
  .epilogue('Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 done and differences found.');
for (const load of loadersOf(process.argv[2])) (await load())(cli);

try {
  await cli.parseAsync();
} catch (error) {
  reportError(error, cli);
}

/** The loader of the named command; of all commands for help, an unknown name, or an option in first place. */
function loadersOf(name = ''): (typeof COMMANDS)[string][] {
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return named === undefined ? Object.values(COMMANDS) : [named];
}
