import yargs from 'yargs';
import { TallyhookError } from '../src/domain/error.ts';
import { forgetWritten } from '../src/store/written.ts';
import { askedAct, mayReveal } from './command-acts.ts';
import { CommandEndedError, reportError } from './context/process.ts';
import { layOutHelp } from './options/help-layout.ts';
import { mistake, refuseEmpty, unknownCommand } from './options/mistakes.ts';
import type { Cli } from './options/options.ts';
import { refuseTyped } from './options/typed.ts';
import { markedWords, unmarked, type WorkLine } from './options/words.ts';
import { commandPath, layOutNoHelp } from './options/yargs-internals.ts';
import { type CommandName, GLOBAL_OPTIONS, isCommand } from './overview.ts';
import { calledAs } from './show/program.ts';

/** Each command is one file in commands/ and one line here; only the named command is loaded. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<(cli: Cli) => unknown>>> = {
  init: async () => (await import('./commands/init.ts')).addInitCommand,
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
  events: async () => (await import('./commands/events.ts')).addEventsCommand,
  trigger: async () => (await import('./commands/trigger.ts')).addTriggerCommand,
  verify: async () => (await import('./commands/verify.ts')).addVerifyCommand,
  refunds: async () => (await import('./commands/refunds.ts')).addRefundsCommand,
  payouts: async () => (await import('./commands/payouts.ts')).addPayoutsCommand,
  collections: async () => (await import('./commands/collections.ts')).addCollectionsCommand,
  checkout: async () => (await import('./commands/checkout.ts')).addCheckoutCommand,
  why: async () => (await import('./commands/why.ts')).addWhyCommand,
  sweep: async () => (await import('./commands/sweep.ts')).addSweepCommand,
  backfill: async () => (await import('./commands/backfill.ts')).addBackfillCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).addSandboxCommand,
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
  outbox: async () => (await import('./commands/outbox.ts')).addOutboxCommand,
  forward: async () => (await import('./commands/forward.ts')).addForwardCommand,
  listen: async () => (await import('./commands/listen.ts')).addListenCommand,
  statements: async () => (await import('./commands/statements.ts')).addStatementsCommand,
  reconcile: async () => (await import('./commands/reconcile.ts')).addReconcileCommand,
  dashboard: async () => (await import('./commands/dashboard.ts')).addDashboardCommand,
  users: async () => (await import('./commands/users.ts')).addUsersCommand,
  approvals: async () => (await import('./commands/approvals.ts')).addApprovalsCommand,
  audit: async () => (await import('./commands/audit.ts')).addAuditCommand,
  matches: async () => (await import('./commands/matches.ts')).addMatchesCommand,
  breaks: async () => (await import('./commands/breaks.ts')).addBreaksCommand,
  period: async () => (await import('./commands/period.ts')).addPeriodCommand,
  report: async () => (await import('./commands/report.ts')).addReportCommand,
  exceptions: async () => (await import('./commands/exceptions.ts')).addExceptionsCommand,
  totals: async () => (await import('./commands/totals.ts')).addTotalsCommand,
  findings: async () => (await import('./commands/findings.ts')).addFindingsCommand,
  stuck: async () => (await import('./commands/stuck.ts')).addStuckCommand,
  track: async () => (await import('./commands/track.ts')).addTrackCommand,
  stats: async () => (await import('./commands/stats.ts')).addStatsCommand,
  sql: async () => (await import('./commands/sql.ts')).addSqlCommand,
  status: async () => (await import('./commands/status.ts')).addStatusCommand,
  incidents: async () => (await import('./commands/incidents.ts')).addIncidentsCommand,
  refused: async () => (await import('./commands/refused.ts')).addRefusedCommand,
  health: async () => (await import('./commands/health.ts')).addHealthCommand,
  alerts: async () => (await import('./commands/alerts.ts')).addAlertsCommand,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  schedule: async () => (await import('./commands/schedule.ts')).addScheduleCommand,
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
  prune: async () => (await import('./commands/prune.ts')).addPruneCommand,
  cluster: async () => (await import('./commands/cluster.ts')).addClusterCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeysCommand,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
  completion: async () => (await import('./commands/completion.ts')).addCompletionCommand,
};

/** Runs the named command, or completes a line that is being typed. */
export async function run(line: WorkLine): Promise<void> {
  forgetWritten(); // of a command before, in a process that runs several
  let reached: readonly string[] = [];
  try {
    if (line.asks === 'completions') {
      const { printCompletions } = await import('./commands/completion/candidates.ts');
      return await printCompletions(line.words, async (name) => (await commandCli(name, [])).cli);
    }
    const { name, words, helpOf = null } = line;
    if (name === null || !isCommand(name)) throw unknownCommand(name, words);
    const { cli, path } = await commandCli(name, words, helpOf);
    try {
      await cli.parseAsync();
    } finally {
      reached = path();
    }
  } catch (error) {
    if (!(error instanceof CommandEndedError)) reportError(error, reached);
  }
}

interface CommandCli {
  readonly cli: Cli;
  /** The words of the command that was reached: `['refunds', 'show']`. */
  readonly path: () => readonly string[];
}

/** The command line with one command. */
async function commandCli(
  name: CommandName,
  words: readonly string[],
  helpOf: readonly string[] | null = null,
): Promise<CommandCli> {
  let path: string[] = [];
  const remember = () => {
    const current = commandPath(cli);
    if (current.length > path.length) path = current;
  };
  const cli: Cli = yargs(markedWords(words))
    .scriptName(calledAs())
    .locale('en')
    .parserConfiguration({
      'duplicate-arguments-array': true, // for `array` options; refuseTyped refuses the others
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .options(GLOBAL_OPTIONS)
    .version(false)
    .help('help', 'Show this help')
    .alias('help', 'h')
    .strict()
    .strictCommands()
    .exitProcess(false)
    .middleware((argv) => {
      for (const [name, value] of Object.entries(argv)) if (typeof value === 'string') argv[name] = unmarked(value);
      remember();
      if (path.length !== commandPath(cli).length) return;
      refuseTyped(words, cli);
      refuseEmpty(argv, cli);
    }, true)
    .middleware((argv) => {
      if (askedAct(path, argv) === null && !mayReveal(path, argv)) return undefined;
      return import('./context/permission.ts').then(async ({ permitted }) => {
        Object.assign(argv, await permitted(path, argv));
      });
    })
    .fail((message, error) => {
      remember();
      // `message` is set for errors of yargs only; an error that a command throws comes alone.
      throw error instanceof TallyhookError || !message ? error : mistake(unmarked(message), cli);
    })
    .wrap(Math.min(120, process.stdout.columns || 120) - 1); // layOutHelp may add a blank to a full line
  layOutNoHelp(cli);
  layOutHelp(cli, helpOf);
  (await COMMANDS[name]())(cli);
  return { cli, path: () => path };
}
