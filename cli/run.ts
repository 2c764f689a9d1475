import yargs from 'yargs';
import { TallyhookError } from '../src/domain/error.ts';
import { forgetWritten } from '../src/store/written.ts';
import { askedAct, mayReveal } from './command-acts.ts';
import { CommandEndedError, reportError } from './context/process.ts';
import type { AddCommand } from './options/command-group.ts';
import { layOutHelp } from './options/help-layout.ts';
import { mistake, refuseEmpty, unknownCommand } from './options/mistakes.ts';
import type { Cli } from './options/options.ts';
import { refuseTyped } from './options/typed.ts';
import { markedWords, unmarked, type WorkLine } from './options/words.ts';
import { commandPath, layOutNoHelp } from './options/yargs-internals.ts';
import { type CommandName, GLOBAL_OPTIONS, isCommand } from './overview.ts';
import { calledAs } from './show/program.ts';

/** Each command is one file in commands/ and one line here; only the named command is loaded. `word`: what follows its name in the line. */
const COMMANDS: Readonly<Record<CommandName, (word: string | undefined) => Promise<AddCommand>>> = {
  init: async () => (await import('./commands/init.ts')).addInitCommand,
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
  events: async (word) => (await import('./commands/events.ts')).eventsCommand(word),
  trigger: async () => (await import('./commands/trigger.ts')).addTriggerCommand,
  verify: async () => (await import('./commands/verify.ts')).addVerifyCommand,
  refunds: async (word) => (await import('./commands/refunds.ts')).refundsCommand(word),
  payouts: async (word) => (await import('./commands/payouts.ts')).payoutsCommand(word),
  collections: async (word) => (await import('./commands/collections.ts')).collectionsCommand(word),
  checkout: async () => (await import('./commands/checkout.ts')).addCheckoutCommand,
  why: async () => (await import('./commands/why.ts')).addWhyCommand,
  sweep: async () => (await import('./commands/sweep.ts')).addSweepCommand,
  backfill: async () => (await import('./commands/backfill.ts')).addBackfillCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).addSandboxCommand,
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
  outbox: async (word) => (await import('./commands/outbox.ts')).outboxCommand(word),
  forward: async (word) => (await import('./commands/forward.ts')).forwardCommand(word),
  listen: async () => (await import('./commands/listen.ts')).addListenCommand,
  statements: async (word) => (await import('./commands/statements.ts')).statementsCommand(word),
  reconcile: async () => (await import('./commands/reconcile.ts')).addReconcileCommand,
  dashboard: async (word) => (await import('./commands/dashboard.ts')).dashboardCommand(word),
  users: async (word) => (await import('./commands/users.ts')).usersCommand(word),
  approvals: async (word) => (await import('./commands/approvals.ts')).approvalsCommand(word),
  audit: async (word) => (await import('./commands/audit.ts')).auditCommand(word),
  matches: async (word) => (await import('./commands/matches.ts')).matchesCommand(word),
  breaks: async (word) => (await import('./commands/breaks.ts')).breaksCommand(word),
  period: async (word) => (await import('./commands/period.ts')).periodCommand(word),
  report: async (word) => (await import('./commands/report.ts')).reportCommand(word),
  exceptions: async (word) => (await import('./commands/exceptions.ts')).exceptionsCommand(word),
  totals: async () => (await import('./commands/totals.ts')).addTotalsCommand,
  findings: async (word) => (await import('./commands/findings.ts')).findingsCommand(word),
  stuck: async () => (await import('./commands/stuck.ts')).addStuckCommand,
  track: async (word) => (await import('./commands/track.ts')).trackCommand(word),
  stats: async () => (await import('./commands/stats.ts')).addStatsCommand,
  sql: async () => (await import('./commands/sql.ts')).addSqlCommand,
  status: async () => (await import('./commands/status.ts')).addStatusCommand,
  incidents: async () => (await import('./commands/incidents.ts')).addIncidentsCommand,
  refused: async () => (await import('./commands/refused.ts')).addRefusedCommand,
  health: async () => (await import('./commands/health.ts')).addHealthCommand,
  alerts: async (word) => (await import('./commands/alerts.ts')).alertsCommand(word),
  doctor: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  schedule: async (word) => (await import('./commands/schedule.ts')).scheduleCommand(word),
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
  prune: async () => (await import('./commands/prune.ts')).addPruneCommand,
  cluster: async (word) => (await import('./commands/cluster.ts')).clusterCommand(word),
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
  (await COMMANDS[name](words[words.indexOf(name) + 1]))(cli);
  return { cli, path: () => path };
}
