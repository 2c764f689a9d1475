import { readFileSync } from 'node:fs';
import { reasonOf } from '../../../src/config/problems.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import type { BalanceView, MerchantView } from '../../../src/sandbox/index.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { print, printJson, printTable } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox } from './connection.ts';
import { FORCE_OPTION, refuseExisting, writeWhole } from './new-file.ts';

/** `sandbox status`, `sandbox snapshot`, `sandbox restore`, `sandbox reset`. */
export function addStateControls(cli: Cli): Cli {
  return addReset(addRestore(addSnapshot(addStatus(cli))));
}

function addStatus(cli: Cli): Cli {
  return cli.command(
    'status',
    'Show its time, merchants, keys and webhook URLs',
    (command) => command.options(CONNECTION_OPTIONS).example('$0 sandbox status --json', 'Keys for a test'),
    async (argv) => {
      const status = await callSandbox<{ now: string; merchants: MerchantView[]; balances: BalanceView[] }>(
        argv,
        'GET',
        '/',
      );
      if (argv.json) {
        printJson(status);
        return;
      }
      print(`now  ${status.now}\n`);
      const rows = status.merchants.flatMap((merchant) =>
        (['test', 'live'] as const).map((environment) => ({ ...merchant, environment })),
      );
      printTable(rows, [
        { header: 'MERCHANT', value: (row) => row.id },
        { header: 'NAME', value: (row) => row.name },
        { header: 'ENVIRONMENT', value: (row) => row.environment },
        { header: 'PUBLIC KEY', value: (row) => row.keys[row.environment].publicKey },
        { header: 'SECRET KEY', value: (row) => row.keys[row.environment].secretKey },
        { header: 'WEBHOOKS TO', value: (row) => row.webhookUrls[row.environment] ?? 'nowhere' },
      ]);
    },
  );
}

function addSnapshot(cli: Cli): Cli {
  return cli.command(
    'snapshot <file>',
    'Write its whole state to a file',
    (command) =>
      command
        .positional('file', { type: 'string', demandOption: true })
        .options({ ...FORCE_OPTION, ...CONNECTION_OPTIONS })
        .example('$0 sandbox snapshot before.json', 'To return to it: sandbox restore before.json --yes'),
    async (argv) => {
      const { file, force } = argv;
      refuseExisting(file, { force });
      const snapshot = Buffer.from(JSON.stringify(await callSandbox<unknown>(argv, 'GET', '/snapshot')));
      writeWhole(file, snapshot, { force, mode: 0o600 }); // it holds secret keys
      if (argv.json) printJson({ file, bytes: snapshot.length });
      else print(`${file}  ${snapshot.length} bytes`);
    },
  );
}

function addRestore(cli: Cli): Cli {
  return cli.command(
    'restore <file>',
    'Replace its whole state by a snapshot',
    (command) =>
      command
        .positional('file', { type: 'string', demandOption: true })
        .option('yes', { type: 'boolean', default: false, describe: 'Confirm: its current state is lost' })
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox restore before.json --yes', 'Back to a snapshot'),
    async (argv) => {
      if (!argv.yes) throw new UsageError('The current state of the sandbox would be lost: confirm with --yes.');
      const snapshot = readSnapshot(argv.file);
      const answer = await callSandbox<{ now: string }>(argv, 'PUT', '/snapshot', snapshot);
      if (argv.json) printJson(answer);
      else print(`restored; now  ${answer.now}`);
    },
  );
}

function addReset(cli: Cli): Cli {
  return cli.command(
    'reset',
    'Restore its start: same keys, no records',
    (command) =>
      command
        .option('yes', { type: 'boolean', default: false, describe: 'Confirm: all its records are lost' })
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox reset --yes', 'Between two tests'),
    async (argv) => {
      if (!argv.yes) throw new UsageError('All records of the sandbox would be lost: confirm with --yes.');
      const answer = await callSandbox<{ now: string }>(argv, 'POST', '/reset');
      if (argv.json) printJson(answer);
      else print(`reset; now  ${answer.now}`);
    },
  );
}

function readSnapshot(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new TallyhookError(`Cannot read the snapshot ${file}: ${reasonOf(cause)}.`, {
      kind: 'usage',
      hint: 'Choose a file that `tallyhook sandbox snapshot` has written.',
      cause,
    });
  }
}
