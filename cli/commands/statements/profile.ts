import { writeFileSync } from 'node:fs';
import { reasonOf } from '../../../src/config/problems.ts';
import { ENVIRONMENTS } from '../../../src/domain/environment.ts';
import { STATEMENT_KINDS } from '../../../src/domain/statements/lines.ts';
import { type Proposal, proposeProfile } from '../../../src/reconcile/proposal/propose.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { note, print, printJson, printVerbatim } from '../../show/output.ts';

/** `tallyhook statements profile FILE`: proposes how a file is to be read, and marks what it guessed. */
export function addStatementsProfileCommand(statements: Cli): Cli {
  return statements.command(
    'profile <file>',
    'Propose a profile for a file: how its columns, dates and amounts are read',
    (command) =>
      command
        .positional('file', { type: 'string', demandOption: true, describe: 'A statement as CSV or XLSX' })
        .option('name', { type: 'string', requiresArg: true, describe: 'Name of the profile' })
        .option('account', { type: 'string', requiresArg: true, describe: 'Your name for the account' })
        .option('kind', { choices: STATEMENT_KINDS, describe: 'Whose statement it is; ledger: your own books' })
        .option('environment', { choices: ENVIRONMENTS, describe: 'Environment of the account' })
        .option('out', { type: 'string', requiresArg: true, describe: 'File to write; it must not exist [stdout]' })
        .example('$0 statements profile october.csv --out profiles/wallet.yaml', 'Then look at each "confirm:" in it')
        .example('$0 statements profile october.xlsx --account main --kind wallet', 'What you say is no guess'),
    async (argv) => {
      const { name, account, kind, environment, out } = argv;
      const proposal = await proposeProfile(argv.file, { name, account, kind, environment });
      if (out !== undefined) write(out, proposal.text);
      if (argv.json) {
        const { text: profile, guesses, unused, notes } = proposal;
        printJson({ profile, guesses, unused, notes, out: out ?? null });
      } else report(proposal, out);
      for (const one of proposal.notes) note(one);
      if (proposal.unused.length > 0) note(NOT_USED.replace('COLUMNS', () => proposal.unused.join(', ')));
    },
  );
}

const NOT_USED = 'Not used: COLUMNS. Where the profile has a setting for one of them, add it (docs/statements.md).';

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = exists ? 'it exists already' : reasonOf(error);
    throw new UsageError(`Cannot write ${path}: ${why}.`, 'Name another file with --out.');
  }
}

function report({ text, guesses }: Proposal, out: string | undefined): void {
  if (out === undefined) {
    printVerbatim(text.trimEnd());
    return;
  }
  print(`${out} is written, with ${guesses.length} guesses.`);
  print(
    'Look at each line with "confirm: ", mend it if need be, and take the mark away: an import is refused until then.',
  );
}
