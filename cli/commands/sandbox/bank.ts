import { formatAmount } from '../../../src/domain/money/amount.ts';
import type { BatchView, ChargebackView } from '../../../src/sandbox/index.ts';
import { CURRENCIES } from '../../../src/sandbox/world/records.ts';
import { amountOption } from '../../options/money.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { print, printJson } from '../../show/output.ts';
import { time } from '../../show/text.ts';
import { CONNECTION_OPTIONS, callSandbox, query, WHOSE_OPTIONS } from './connection.ts';

const OPTIONS = { ...CONNECTION_OPTIONS, ...WHOSE_OPTIONS };

/** `sandbox top-up`, `sandbox chargebacks list · open · reverse`, `sandbox batches list`. */
export function addBankControls(cli: Cli): Cli {
  return addBatches(addChargebacks(addTopUp(cli)));
}

function addTopUp(cli: Cli): Cli {
  return cli.command(
    'top-up <currency> <amount>',
    "Move money from the merchant's bank to its balance, or to a wallet",
    (command) =>
      command
        .positional('currency', { choices: CURRENCIES, demandOption: true })
        .positional('amount', { type: 'string', demandOption: true, describe: 'Such as 500.00' })
        .option('wallet', { type: 'string', requiresArg: true, describe: 'To this wallet' })
        .options(OPTIONS)
        .example('$0 sandbox top-up NGN 500.00', 'The bank may be overdrawn'),
    async (argv) => {
      const { merchant, environment, currency, amount, wallet } = argv;
      const body = { merchant, environment, currency, amount, wallet };
      const made = await callSandbox<{ reference: string; amount: string }>(argv, 'POST', '/top-ups', body);
      if (argv.json) printJson(made);
      else print(`${made.reference}  ${made.amount} ${currency}`);
    },
  );
}

function addChargebacks(cli: Cli): Cli {
  return cli.command('chargebacks', 'List its chargebacks, open one, or reverse one', (command) =>
    [addChargebackList, addOpen, addReverse]
      .reduce((all, add) => add(all), command as unknown as Cli)
      .demandCommand(1, 'list, open or reverse?'),
  ) as unknown as Cli;
}

function addChargebackList(cli: Cli): Cli {
  return cli.command(
    'list',
    'List the chargebacks',
    (list) =>
      list.options(OPTIONS).example('$0 sandbox chargebacks list', 'Their references, for `chargebacks reverse`'),
    async (argv) => {
      const path = `/chargebacks${query({ merchant: argv.merchant, environment: argv.environment })}`;
      const { chargebacks } = await callSandbox<{ chargebacks: ChargebackView[] }>(argv, 'GET', path);
      await printList(wholeList(chargebacks), argv, {
        json: (chargeback) => chargeback,
        columns: [
          { header: 'CHARGEBACK', value: (row) => row.reference },
          { header: 'TRANSACTION', value: (row) => row.transaction_reference },
          { header: 'AMOUNT', value: (row) => row.amount, align: 'right' },
          { header: 'CURRENCY', value: (row) => row.currency },
          { header: 'STATUS', value: (row) => row.status },
        ],
        empty: 'The sandbox has no chargebacks.',
      });
    },
  );
}

function addOpen(cli: Cli): Cli {
  return cli.command(
    'open <collection>',
    "The payer's bank takes a successful collection back",
    (open) =>
      open
        .positional('collection', { type: 'string', demandOption: true, describe: 'Its reference' })
        .option('amount', amountOption('Only so much [all that is left of it]'))
        .options(OPTIONS)
        .example('$0 sandbox chargebacks open order-1 --amount 5.00', ''),
    async (argv) => {
      const { merchant, environment, collection, amount } = argv;
      const body = { merchant, environment, collection, amount: amount && formatAmount(amount) };
      printOne(await callSandbox<ChargebackView>(argv, 'POST', '/chargebacks', body), argv.json);
    },
  );
}

function addReverse(cli: Cli): Cli {
  return cli.command(
    'reverse <reference>',
    'Return the money of one to the merchant',
    (reverse) =>
      reverse
        .positional('reference', { type: 'string', demandOption: true })
        .options(OPTIONS)
        .example('$0 sandbox chargebacks reverse CBK_000001', 'The bank gives the money back'),
    async (argv) => {
      const { merchant, environment, reference } = argv;
      const path = `/chargebacks/${encodeURIComponent(reference)}/reverse`;
      printOne(await callSandbox<ChargebackView>(argv, 'POST', path, { merchant, environment }), argv.json);
    },
  );
}

function printOne(chargeback: ChargebackView, json: boolean | undefined): void {
  const { reference, amount, currency, status } = chargeback;
  if (json) printJson(chargeback);
  else print(`${reference}  ${amount} ${currency}  ${status}`);
}

function addBatches(cli: Cli): Cli {
  return cli.command('batches', "List its settlement batches to the merchant's bank", (command) =>
    command
      .command(
        'list',
        'List the batches; with --json their members too',
        (list) => list.options(OPTIONS).example('$0 sandbox batches list --json', 'The batches with their members'),
        async (argv) => {
          const path = `/batches${query({ merchant: argv.merchant, environment: argv.environment })}`;
          const { batches } = await callSandbox<{ batches: BatchView[] }>(argv, 'GET', path);
          await printList(wholeList(batches), argv, {
            json: (batch) => batch,
            columns: [
              { header: 'BATCH', value: (row) => row.id },
              { header: 'AT', value: (row) => time(row.at) },
              { header: 'AMOUNT', value: (row) => row.amount, align: 'right' },
              { header: 'CURRENCY', value: (row) => row.currency },
              { header: 'MEMBERS', value: (row) => row.members.length, align: 'right' },
            ],
            empty: 'The sandbox has no batches: the setting settlementBatches is off, or none is due.',
          });
        },
      )
      .demandCommand(1, 'list?'),
  ) as unknown as Cli;
}
