// What `tallyhook --help` lists: every command with its sentence, by what it is for. No command is loaded for it.

/** The commands of each group, in the order of the help. */
export const COMMAND_GROUPS = {
  'Receive webhooks': {
    init: 'Write tallyhook.yaml and .env with comments, and check the keys',
    serve: 'Receive webhooks; keep every event once',
    listen: 'Show each webhook and hand it on to your application, without a configuration',
    events: 'List, show, follow, export and replay the events of the inbox',
    trigger: 'Send a correctly signed sample of an event',
    verify: 'Check the signature of a saved delivery, and show why it fails',
  },
  Records: {
    refunds: 'List, show and request refunds',
    payouts: 'List, show and send payouts',
    collections: 'List, show and start collections',
    checkout: 'The hosted payment page',
    why: 'Show the story of one reference: its state, and everything that led to it',
  },
  'The payment service': {
    sweep: 'Check the status of every due record at the service',
    backfill: "Walk the service's list of refunds; make records of those without a webhook",
    sandbox: 'Run the payment service on this machine',
    demo: 'Play a day of payments at the sandbox, and check the receiver against its books',
  },
  'Your applications': {
    outbox: 'List, show, retry and drop the news that is handed on to your applications',
    forward: 'Test a target, or enable one that was disabled',
  },
  Finance: {
    statements: 'Import what a wallet, a bank or your own books say, line by line; propose how a file is read',
    reconcile: 'Compare what webhooks reported with what the service confirmed; exit code 3 when there are breaks',
    matches: 'List which line of a statement belongs to which record; confirm or undo a match',
    breaks: 'List and show what the last reconciliation could not explain',
    exceptions: 'List, show, assign, resolve and approve what must be explained; exit code 3 while one is overdue',
    period: 'Check, close, approve, lock and reopen the books of a month; exit code 3 when a check is open',
    report: 'Report a month or a run on one page: table, JSON, CSV, XLSX, or HTML that prints well',
    totals: 'Count and add up the records of a period by status, day, currency or channel',
    audit: 'List who did what; check that nothing was changed past it; exit code 3 when something was',
    findings: 'List and show what must be cleared up; exit code 3 when a finding is open',
    stuck: 'List records that are not settled in time; exit code 3 when there are any',
    track: 'Expect refunds, payouts and collections, so that a missing one is a finding',
    stats: 'Count events, records, amounts, findings and refusals; sizes on disk; health of the channels',
    sql: 'Query the database, read-only, with one SELECT; tables: docs/data-model.md',
  },
  Upkeep: {
    status: 'Is everything well? One screen; exit code 3 when something needs you',
    incidents: 'List when serve was away, deliveries were refused, or an alert was open; exit code 3 while one lasts',
    refused: 'List which requests were refused, when and why',
    health:
      'Report how well webhooks arrive; exit code 3 when they are refused, a channel is silent, or serve is not running',
    alerts: 'List, show, silence and test alerts, or judge them now; exit code 3 when one is open',
    doctor: 'Check configuration, keys at the service, serve, disk, database, schedule, clock and the proxy',
    schedule: 'List the scheduled jobs, or run one now',
    backup: 'Copy the database to a file, while serving, and check the copy',
    restore: 'Put a backup in the place of the database, and keep the old database beside it',
    prune: 'Remove old bodies and personal data; keys and digests stay, so a late delivery is still recognised',
    dashboard: 'Open the dashboard alone, beside a serve or without one; or list its routes and who may use each',
    users: 'Say who may act, and as what; from the first user on, names are proved by a token',
    approvals: 'Say yes or no to what needs a second person; exit code 3 while a request waits',
    cluster:
      'Several machines with one log in PostgreSQL: begin, status, upgrade, leave; exit code 3 when a node is not well',
    keys: 'Show which machine has which key pair, during a rotation; exit code 3 while one lacks a pair',
    migrate: 'Bring the database to the schema of this program',
    completion: 'Print the script with which bash or zsh completes commands and options',
  },
} as const;

type Groups = typeof COMMAND_GROUPS;
/** The first word of a command line. */
export type CommandName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups] & string;

/** One sentence for each command: in the overview, and at the top of its own help. */
export const SUMMARY = Object.assign({}, ...Object.values(COMMAND_GROUPS)) as Readonly<Record<CommandName, string>>;

/** Options of every command, as yargs takes them. */
export const GLOBAL_OPTIONS = {
  config: { type: 'string', requiresArg: true, global: true, describe: 'Configuration file [./tallyhook.yaml]' },
  json: { type: 'boolean', global: true, describe: 'Print the result as JSON (fields: docs/cli.md)' },
  'at-least': {
    type: 'string',
    requiresArg: true,
    global: true,
    hidden: true, // in the help of a command: the overview and docs/cli.md have it
    describe: 'Of several machines: first wait until this one has carried out entry SEQ, 10 s at most',
  },
  verbose: { type: 'boolean', global: true, describe: 'Show the stack trace of an error' },
} as const;

export const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 done and differences found.';

/** Whether the word is the name of a command. */
export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(SUMMARY, word);
}
