import type { Environment } from '../../src/domain/environment.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import type { RecordKind } from '../../src/domain/lifecycle.ts';
import { withArchive } from '../context/archive.ts';
import { COMMON_FILTERS, commonFilter, PAGE_OPTIONS, pageOf, REVEAL_OPTION } from '../options/filters.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { printJson, printTable } from '../show/output.ts';
import { noteDisputes, printRecord, recordColumns, recordDetailJson, recordJson } from '../show/record.ts';

// `list` and `show` of refunds, payouts and collections.

/** Prints the list of the service instead of the database. */
export type RemoteList = (argv: RemoteListArguments) => Promise<void>;
export interface RemoteListArguments {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
  readonly environment: Environment | undefined;
  readonly limit: number;
  readonly reveal: boolean;
}

/** `list`. With `remote`, the option `--remote` prints the service's own list. */
export function addRecordListCommand(cli: Cli, kind: RecordKind, remote?: RemoteList): Cli {
  return cli.command(
    'list',
    `List ${kind}s, the newest first`,
    (command) =>
      command
        .options({ ...COMMON_FILTERS, ...PAGE_OPTIONS, ...REVEAL_OPTION })
        .option('remote', { type: 'boolean', default: false, hidden: remote === undefined, describe: REMOTE })
        .example(`$0 ${kind}s list --status failed --since 7d`, 'Reported or confirmed as failed, changed this week'),
    async (argv) => {
      if (argv.remote) return listRemotely(kind, remote, argv);
      const records = await withArchive(argv, (archive) => archive.records(kind, commonFilter(argv), pageOf(argv)));
      if (argv.json) printJson(records.map((record) => recordJson(record, argv)));
      else {
        printTable(records, recordColumns(argv));
        noteDisputes(records);
      }
    },
  );
}

const REMOTE = "The service's own list, of --environment (default: test), at most --limit rows";
const LOCAL_ONLY = ['reference', 'status', 'since', 'until', 'after', 'oldest-first'] as const;

async function listRemotely(
  kind: RecordKind,
  remote: RemoteList | undefined,
  argv: RemoteListArguments & Readonly<Record<string, unknown>>,
): Promise<void> {
  if (remote === undefined) throw new UsageError(`The service lists no ${kind}s.`);
  const filter = LOCAL_ONLY.find((name) => argv[name] !== undefined && argv[name] !== false);
  if (filter !== undefined)
    throw new UsageError(`--${filter} does not apply to --remote: the service takes no filters.`);
  return remote(argv);
}

export function addRecordShowCommand(cli: Cli, kind: RecordKind): Cli {
  return cli.command(
    'show <reference>',
    `Show one ${kind}: statuses, amounts, history, observations, findings`,
    (command) =>
      command
        .positional('reference', { type: 'string', demandOption: true, describe: `Reference of the ${kind}` })
        .options({ environment: COMMON_FILTERS.environment, ...REVEAL_OPTION }),
    async (argv) => {
      const { reference, environment } = argv;
      const records = await withArchive(argv, (archive) => archive.record(kind, reference, environment));
      if (records.length === 0) {
        const where = environment === undefined ? '' : ` in ${environment}`;
        throw new TallyhookError(`There is no ${kind} ${reference}${where}.`, {
          kind: 'not_found',
          hint: `List them: tallyhook ${kind}s list. Its events: tallyhook events list --reference ${reference}`,
        });
      }
      if (argv.json) printJson(records.map((record) => recordDetailJson(record, argv)));
      else for (const record of records) printRecord(record, argv);
    },
  );
}
