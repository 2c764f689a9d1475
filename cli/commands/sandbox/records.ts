import { COLLECTION_STATUSES, PAYOUT_STATUSES, REFUND_STATUSES } from '../../../src/sandbox/world/records.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { type Column, print, printJson } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox, query, WHOSE_OPTIONS } from './connection.ts';

type Row = Readonly<Record<string, string | null>>;

const column = (header: string, field: string): Column<Row> => ({ header, value: (row) => row[field] ?? null });
const amount: Column<Row> = { ...column('AMOUNT', 'amount'), align: 'right' };
const common = [amount, column('CURRENCY', 'currency'), column('STATUS', 'status'), column('UPDATED', 'updated_at')];

const KINDS = [
  {
    kind: 'refunds',
    statuses: REFUND_STATUSES,
    columns: [column('REFUND', 'refund_reference'), column('TRANSACTION', 'transaction_reference'), ...common],
  },
  {
    kind: 'payouts',
    statuses: PAYOUT_STATUSES,
    columns: [column('PAYOUT', 'reference'), column('BANK', 'bank_name'), ...common],
  },
  {
    kind: 'collections',
    statuses: COLLECTION_STATUSES,
    columns: [column('COLLECTION', 'reference'), column('CHANNEL', 'channel'), ...common],
  },
] as const;

/** `sandbox refunds list · move`, and the same for payouts and collections. */
export function addRecordControls(cli: Cli): Cli {
  return KINDS.reduce((all, kind) => addKind(all, kind), cli);
}

function addKind(cli: Cli, { kind, statuses, columns }: (typeof KINDS)[number]): Cli {
  return cli.command(kind, `List its ${kind}, or move one to another status`, (command) =>
    command
      .command(
        'list',
        `List the ${kind}`,
        (list) =>
          list
            .options({ ...CONNECTION_OPTIONS, ...WHOSE_OPTIONS })
            .example(`$0 sandbox ${kind} list --environment live`, 'Those of the live keys'),
        async (argv) => {
          const { merchant, environment } = argv;
          const path = `/${kind}${query({ merchant, environment })}`;
          const rows = (await callSandbox<Record<string, Row[]>>(argv, 'GET', path))[kind] ?? [];
          await printList(wholeList(rows), argv, { json: (row) => row, columns, empty: `The sandbox has no ${kind}.` });
        },
      )
      .command(
        'move <reference> <status>',
        'Move one to another status, with its money and webhooks',
        (move) =>
          move
            .positional('reference', { type: 'string', demandOption: true })
            .positional('status', { choices: statuses as readonly string[], demandOption: true })
            .options({ ...CONNECTION_OPTIONS, ...WHOSE_OPTIONS })
            .example(`$0 sandbox ${kind} move REFERENCE success`, ''),
        async (argv) => {
          const { merchant, environment, reference, status } = argv;
          const path = `/${kind}/${encodeURIComponent(reference)}/move`;
          const record = await callSandbox<Row>(argv, 'POST', path, { merchant, environment, status });
          if (argv.json) printJson(record);
          else print(`${reference}  ${record.status}`);
        },
      )
      .demandCommand(1, 'list or move?'),
  ) as unknown as Cli;
}
