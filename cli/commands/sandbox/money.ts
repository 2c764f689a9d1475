import { type Amount, formatAmount } from '../../../src/domain/money/amount.ts';
import type { BalanceView } from '../../../src/sandbox/business/balances.ts';
import { CURRENCIES } from '../../../src/sandbox/world/records.ts';
import { amountOption } from '../../options/money.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { answeredNo, print, printJson, printTable } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox, query, WHOSE_OPTIONS } from './connection.ts';

/** `sandbox balances`, `sandbox settle`, `sandbox books`. */
export function addMoneyControls(cli: Cli): Cli {
  return addBooks(addSettle(addBalances(cli)));
}

function addBalances(cli: Cli): Cli {
  return cli.command(
    'balances [currency]',
    'Show balances, or set them with --available, --pending, --bank and --wallet',
    (command) =>
      command
        .positional('currency', { choices: CURRENCIES, describe: 'Only this one; required to set a balance' })
        .option('available', amountOption('Set the available balance', 'available'))
        .option('pending', amountOption('Set the balance that waits for settlement', 'pending'))
        .option('bank', amountOption("Set the account at the merchant's bank", 'bank'))
        .option('wallet', {
          type: 'string',
          requiresArg: true,
          describe: 'Set the balance of this wallet; created if new',
        })
        .options({ ...CONNECTION_OPTIONS, ...WHOSE_OPTIONS })
        .example('$0 sandbox balances USD --available 0.00 --pending 50.00', 'The next refund waits for settlement'),
    async (argv) => {
      const { merchant, environment, currency, available, pending, bank, wallet } = argv;
      const sets = [available, pending, bank, wallet].some((given) => given !== undefined);
      if (sets && currency === undefined)
        throw new UsageError('Which currency?', 'For example: sandbox balances USD --available 10.00');
      const whose = { merchant, environment };
      const answer = sets
        ? await callSandbox<Balances>(argv, 'PUT', '/balances', {
            ...whose,
            currency,
            available: decimal(available),
            pending: decimal(pending),
            bank: decimal(bank),
            wallet,
          })
        : await callSandbox<Balances>(argv, 'GET', `/balances${query(whose)}`);
      const shown = answer.balances.filter((one) => (currency ?? one.currency) === one.currency);
      await printList(wholeList(shown), argv, {
        json: (balance) => balance,
        columns: BALANCE_COLUMNS,
        empty: 'No balance matches.',
      });
    },
  );
}

interface Balances {
  readonly balances: readonly BalanceView[];
}

const BALANCE_COLUMNS = [
  { header: 'CURRENCY', value: (row: BalanceView) => row.currency },
  { header: 'AVAILABLE', value: (row: BalanceView) => row.available, align: 'right' as const },
  { header: 'PENDING', value: (row: BalanceView) => row.pending, align: 'right' as const },
  { header: 'RESERVED', value: (row: BalanceView) => row.reserved_available, align: 'right' as const },
  { header: 'RESERVED PENDING', value: (row: BalanceView) => row.reserved_pending, align: 'right' as const },
  { header: 'BANK', value: (row: BalanceView) => row.bank, align: 'right' as const },
  {
    header: 'WALLETS',
    value: (row: BalanceView) =>
      Object.entries(row.wallets)
        .map(([code, amount]) => `${code} ${amount}`)
        .join(', '),
  },
];

function addSettle(cli: Cli): Cli {
  return cli.command(
    'settle [currency]',
    'Settle pending funds now, earliest first',
    (command) =>
      command
        .positional('currency', { choices: CURRENCIES, describe: 'Only this one' })
        .option('amount', amountOption('Most to settle, in this currency'))
        .options({ ...CONNECTION_OPTIONS, ...WHOSE_OPTIONS })
        .example('$0 sandbox settle USD --amount 5.00', 'Fund a waiting refund in part'),
    async (argv) => {
      const { merchant, environment, currency, amount } = argv;
      const body = { merchant, environment, currency, amount: decimal(amount) };
      const { settled } = await callSandbox<{ settled: Settled[] }>(argv, 'POST', '/settle', body);
      if (argv.json) printJson(settled);
      else printTable(settled, SETTLED_COLUMNS);
    },
  );
}

const decimal = (amount: Amount | undefined) => amount && formatAmount(amount);

interface Settled {
  readonly currency: string;
  readonly settled: string;
}

const SETTLED_COLUMNS = [
  { header: 'CURRENCY', value: (row: Settled) => row.currency },
  { header: 'SETTLED', value: (row: Settled) => row.settled, align: 'right' as const },
];

function addBooks(cli: Cli): Cli {
  return cli.command(
    'books',
    'Show the ledger and check that it adds up',
    (command) => command.options(CONNECTION_OPTIONS).example('$0 sandbox books --json', 'At the end of a test'),
    async (argv) => {
      const books = await callSandbox<{ accounts: Record<string, string>; problems: string[] }>(argv, 'GET', '/books');
      if (argv.json) printJson(books);
      else {
        printTable(Object.entries(books.accounts), [
          { header: 'ACCOUNT', value: ([name]) => name },
          { header: 'BALANCE', value: ([, amount]) => amount, align: 'right' },
        ]);
        print(books.problems.length === 0 ? '\nThe books add up.' : `\n${books.problems.join('\n')}`);
      }
      if (books.problems.length > 0) answeredNo();
    },
  );
}
