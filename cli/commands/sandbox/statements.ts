import type { FileChaos, StatementFile } from '../../../src/sandbox/index.ts';
import { DIALECT_NAMES } from '../../../src/sandbox/statements/dialects.ts';
import { FILE_FAULTS } from '../../../src/sandbox/statements/file-chaos.ts';
import { STATEMENT_KINDS } from '../../../src/sandbox/statements/statement.ts';
import { CURRENCIES } from '../../../src/sandbox/world/records.ts';
import { type Cli, UsageError, wholeNumberOption } from '../../options/options.ts';
import { print, printJson, writeText } from '../../show/output.ts';
import { CONNECTION_OPTIONS, callSandbox, WHOSE_OPTIONS } from './connection.ts';
import { FORCE_OPTION, refuseExisting, writeWhole } from './new-file.ts';

const file = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;

/** `sandbox statements wallet|settlement|bank` writes a statement file from the sandbox's own books. */
export function addStatements(cli: Cli): Cli {
  return cli.command(
    'statements <kind>',
    'Write a statement file from its books, with faults if you like',
    (command) =>
      command
        .positional('kind', { choices: STATEMENT_KINDS, demandOption: true })
        .option('from', { ...file('First day, such as 2026-10-01'), demandOption: true })
        .option('to', { ...file('Last day, included'), demandOption: true })
        .option('dialect', {
          choices: DIALECT_NAMES,
          default: 'plain' as const,
          describe: 'Shape of the file (docs/sandbox-statements.md)',
        })
        .option('currency', { choices: CURRENCIES, describe: 'Currency [the only one that moved]' })
        .option('wallet', file('Of this named wallet [the balance]'))
        .option('zone', file('Time zone of its days [UTC]'))
        .option('out', file('Write it to this file [stdout]'))
        .option('profile', file('Write the import profile that fits it to this file, as YAML'))
        .option('chaos', { ...file(`Faults: ${FILE_FAULTS.map((fault) => `${fault}=1`).join(',')}`), coerce: faultsOf })
        .option(
          'seed',
          wholeNumberOption('seed', {
            most: 2 ** 31,
            standard: undefined,
            describe: "Which lines have the faults [the sandbox's seed]",
          }),
        )
        .option('planted', file('Write the planted faults to this file, as JSON'))
        .options({ ...FORCE_OPTION, ...CONNECTION_OPTIONS, ...WHOSE_OPTIONS })
        .example('$0 sandbox statements wallet --from 2026-10-01 --to 2026-10-31 --currency NGN --out wallet.csv', '')
        .example(
          '$0 sandbox statements bank --from 2026-10-01 --to 2026-10-31 --currency NGN --chaos lost=1 --planted p.json',
          'Without one line, and which',
        ),
    async (argv) => {
      if (argv.json && argv.out === undefined)
        throw new UsageError('With --json the file itself is not printed.', 'Name it with --out FILE.');
      for (const path of [argv.profile, argv.planted, argv.out]) if (path !== undefined) refuseExisting(path, argv);
      const { kind, from, to, dialect, currency, wallet, zone, chaos, seed, merchant, environment, force } = argv;
      const body = { kind, from, to, dialect, currency, wallet, zone, chaos, seed, merchant, environment };
      const { content, profile, ...facts } = await callSandbox<StatementFile>(argv, 'POST', '/statements', body);
      const bytes = Buffer.from(content, 'base64');
      if (argv.profile !== undefined) writeWhole(argv.profile, (await import('yaml')).stringify(profile), { force });
      if (argv.planted !== undefined)
        writeWhole(argv.planted, `${JSON.stringify(facts.planted, null, 2)}\n`, { force });
      if (argv.out === undefined) return show(bytes, profile);
      writeWhole(argv.out, bytes, { force });
      if (argv.json) printJson({ file: argv.out, bytes: bytes.length, ...facts, profile });
      else print(`${argv.out}  ${summary(facts)}`);
    },
  );
}

function summary(facts: Omit<StatementFile, 'content' | 'profile'>): string {
  const { account, environment, currency, from, to, lines, opening, closing, planted } = facts;
  const balances = opening === null ? '' : `; opening ${opening}, closing ${closing} ${currency}`;
  const faults = planted.length === 0 ? '' : `; ${planted.length} planted faults`;
  return `${account} (${environment}), ${from} to ${to}: ${lines} lines${balances}${faults}`;
}

/** `lost=2,doubled=1` as an object. */
function faultsOf(text: string | undefined): FileChaos | undefined {
  if (text === undefined) return undefined;
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [, fault = '', count] = /^(\w+)=(\d{1,6})$/.exec(part) ?? [];
      if ((FILE_FAULTS as readonly string[]).includes(fault)) return [fault, Number(count)];
      throw new UsageError(
        `--chaos has ${JSON.stringify(part)}: write a number of lines for a fault (${FILE_FAULTS.join(', ')}), such as lost=2.`,
      );
    }),
  );
}

/** Prints the file: its bytes, or on a terminal its text. */
async function show(bytes: Buffer, { file: form }: StatementFile['profile']): Promise<void> {
  if (process.stdout.isTTY !== true) process.stdout.write(bytes);
  else if (form.encoding === undefined)
    throw new UsageError('A spreadsheet cannot be shown on a terminal.', 'Name a file with --out.');
  else await writeText(new TextDecoder(form.encoding).decode(bytes));
}
