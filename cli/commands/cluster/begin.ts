import { readFileSync } from 'node:fs';
import { grantsFor } from '../../../src/store/cluster-grants.ts';
import type { BeginDid } from '../../../src/store/cluster-port.ts';
import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { note, print, printJson, printVerbatim } from '../../show/output.ts';
import { clusterOf } from './port.ts';

/** The program's role where `--grants` names none. */
const USUAL_ROLE = 'tallyhook_node';

const DONE = {
  made: 'The log was made.',
  again: 'The log that was left is deleted; it begins again.',
  updated: 'The tables of the log were brought up to date.',
  nothing: 'The log is there already; nothing was changed.',
} as const satisfies Record<BeginDid, string>;

/** `tallyhook cluster begin`: makes the log for the installation of this database. */
export function addClusterBeginCommand(cli: Cli): Cli {
  return cli.command(
    'begin',
    'Make the log in PostgreSQL, where the database of this installation is; again changes nothing',
    (command) =>
      command
        .option('grants', {
          type: 'string',
          describe: `Connect to nothing: print the SQL that gives a role its rights, and no more [${USUAL_ROLE}]`,
        })
        .option('role', { type: 'string', requiresArg: true, describe: 'Connect as this owner instead' })
        .option('password-file', { type: 'string', requiresArg: true, describe: 'File with the password of --role' })
        .option('again', {
          type: 'boolean',
          default: false,
          describe: 'Delete the log that this database has left, and make it anew',
        })
        .option('yes', { type: 'boolean', default: false, describe: 'Do what --again says' })
        .example('$0 cluster begin', 'Make the tables, as a role that may')
        .example('$0 cluster begin --grants tallyhook_node | psql …', 'Make the role that serve uses'),
    async (argv) => {
      if (argv.grants !== undefined) return printVerbatim(grantsFor(argv.grants === '' ? USUAL_ROLE : argv.grants));
      if (argv.again && !argv.yes) {
        throw new UsageError(
          'The entries and snapshots of the log that was left would be deleted; this database has carried out all of them. Nothing was done.',
          'Run it again with --yes.',
        );
      }
      const owner = argv.role === undefined ? null : { role: argv.role, password: passwordIn(argv['password-file']) };
      const begun = await clusterOf(await configFrom(argv)).begin({ owner, again: argv.again });
      const { did, installation, epoch, seq } = begun;
      if (argv.json) return printJson({ did, installation, epoch, seq });
      print(`${DONE[did]} Installation ${installation}, epoch ${epoch}, entry ${seq}.`);
      if (did === 'made' || did === 'again')
        note('Next: start serve on this machine; it puts its database in. Then on the others.');
    },
  );
}

function passwordIn(file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    throw new UsageError(`--password-file ${file} cannot be read: ${(error as Error).message}`, 'Give another file.');
  }
}
