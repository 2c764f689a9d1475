import { readFileSync, writeFileSync } from 'node:fs';
import { reasonOf, writeReasonOf } from '../../../src/config/problems.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import type { BalanceView, MerchantView } from '../../../src/sandbox/index.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { print, printJson, printTable } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox } from './connection.ts';

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
        .options(CONNECTION_OPTIONS)
        .example('$0 sandbox snapshot before.json', 'To return to it: sandbox restore before.json --yes'),
    async (argv) => {
      const snapshot = JSON.stringify(await callSandbox<unknown>(argv, 'GET', '/snapshot'));
      atFile(argv.file, 'write', () => writeFileSync(argv.file, snapshot, { mode: 0o600 })); // it holds secret keys
      if (argv.json) printJson({ file: argv.file, bytes: snapshot.length });
      else print(`${argv.file}  ${snapshot.length} bytes`);
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
      const snapshot = atFile(argv.file, 'read', () => JSON.parse(readFileSync(argv.file, 'utf8')) as unknown);
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

/** The result of `work`, which reads or writes a snapshot file. Throws an error that names the file. */
function atFile<Result>(file: string, verb: 'read' | 'write', work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const hint = {
      read: 'Choose a file that `tallyhook sandbox snapshot` has written.',
      write: 'Choose a file in a folder that exists and that you may write to.',
    }[verb];
    throw new TallyhookError(
      `Cannot ${verb} the snapshot ${file}: ${verb === 'read' ? reasonOf(cause) : writeReasonOf(cause)}.`,
      { kind: 'usage', hint, cause },
    );
  }
}
