import type { Config } from '../../src/config/load.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import { optionText } from '../../src/domain/records/advised-word.ts';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import { DISPUTED_NOTE, isDisputed, recordColumns } from '../../src/lists/records.ts';
import type { Archive } from '../../src/store/archive.ts';
import type { Page, RecordSummary } from '../../src/store/records.ts';
import { withArchive } from '../context/archive.ts';
import type { RevealingArguments } from '../context/revealing.ts';
import {
  COMMON_FILTERS,
  PAGE_OPTIONS,
  pageOf,
  RECORD_FILTERS,
  REVEAL_OPTION,
  type RecordArguments,
  recordFilter,
} from '../options/filters.ts';
import { FORMAT_OPTION, refuseTwoFormats } from '../options/format.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { ANY_ROW, requireStatuses } from '../options/statuses.ts';
import { calendarOf } from '../options/when.ts';
import { type FormatArguments, pagesOf, printList } from '../show/list.ts';
import { terminalColumns } from '../show/list-columns.ts';
import { note, printJson } from '../show/output.ts';
import { printRecord, recordDetailJson, recordJson } from '../show/record.ts';
import { recordCsv } from '../show/record-csv.ts';

// `list` and `show` of refunds, payouts and collections.

/** Prints the list of the service instead of the database. */
export type RemoteList = (argv: RemoteListArguments) => Promise<void>;
export interface RemoteListArguments extends FormatArguments {
  readonly config: string | undefined;
  readonly environment: Environment | undefined;
  readonly limit: number;
  readonly all: boolean;
  readonly reveal: boolean;
}

/** `list`. With `remote`, the option `--remote` prints the service's own list. */
export function addRecordListCommand(cli: Cli, kind: RecordKind, remote?: RemoteList): Cli {
  return cli.command(
    'list',
    `List ${kind}s, the newest first`,
    (command) =>
      command
        .options({ ...RECORD_FILTERS, ...PAGE_OPTIONS, ...REVEAL_OPTION, ...FORMAT_OPTION })
        .option('remote', { type: 'boolean', default: false, hidden: remote === undefined, describe: REMOTE })
        .example(`$0 ${kind}s list --since 2026-10-01 --until 2026-10-31 --all`, `The ${kind}s of October`)
        .example(
          `$0 ${kind}s list --status ${EXAMPLE[kind]} --confirmed`,
          'The service has confirmed one of these statuses',
        )
        .example(`$0 ${kind}s list --all --format csv > ${kind}s.csv`, 'For a spreadsheet'),
    async (argv) => {
      refuseTwoFormats(argv);
      if (argv.remote) return listRemotely(kind, remote, argv);
      await withArchive(argv, (archive, config) => listRecords(archive, config, kind, argv));
    },
  );
}

type ListedArguments = RecordArguments & Parameters<typeof pageOf>[0] & FormatArguments & { readonly reveal: boolean };

async function listRecords(archive: Archive, config: Config, kind: RecordKind, argv: ListedArguments): Promise<void> {
  const filter = recordFilter(argv, calendarOf(config));
  await requireStatuses(argv.status, [kind], (status) => archive.records(kind, { statuses: [status] }, ANY_ROW));
  let disputed = false;
  const read = (page: Page) => archive.records(kind, filter, page);
  await printList(
    pagesOf(pageOf(argv), read, () => archive.countRecords(kind, filter)),
    argv,
    {
      seen: (record) => {
        disputed ||= isDisputed(record);
      },
      keyOf: recordKey,
      json: (record) => recordJson(record, argv),
      columns: terminalColumns(recordColumns(kind, argv)),
      csv: recordCsv(kind, config.timeZone, argv),
      empty: `No ${kind}s match.`,
    },
  );
  if (disputed && argv.json !== true && argv.format === 'table') note(DISPUTED_NOTE);
}

/** How the audit names a record that is shown whole, whichever command shows it. */
function recordKey({ kind, environment, reference }: RecordSummary): string {
  return `${kind}:${environment}/${reference}`;
}

const EXAMPLE = {
  refund: 'success,rejected',
  payout: 'failed,reversed',
  collection: 'failed,abandoned',
} as const satisfies Record<RecordKind, string>;

const REMOTE = "The service's own list, of --environment (default: test), at most --limit rows";
const LOCAL_ONLY = ['reference', 'status', 'confirmed', 'since', 'until', 'after', 'oldest-first'] as const;

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
        .options({ environment: COMMON_FILTERS.environment, ...REVEAL_OPTION })
        .example(`$0 ${kind}s show REFERENCE --reveal`, 'With account data in full'),
    async (argv) => {
      const { reference, environment } = argv;
      const records = await withArchive(argv, (archive) => archive.record(kind, reference, environment));
      if (records.length === 0) {
        const where = environment === undefined ? '' : ` in ${environment}`;
        throw new TallyhookError(`There is no ${kind} ${reference}${where}.`, {
          kind: 'not_found',
          hint: `List them: tallyhook ${kind}s list. Its events: tallyhook events list ${optionText('reference', reference)}`,
        });
      }
      await (argv as RevealingArguments).revealing?.rows(records.map(recordKey));
      if (argv.json) printJson(records.map((record) => recordDetailJson(record, argv)));
      else for (const record of records) printRecord(record, argv);
    },
  );
}
