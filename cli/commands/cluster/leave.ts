import { configFrom } from '../../context/config.ts';
import type { Cli } from '../../options/options.ts';
import { note, print, printJson } from '../../show/output.ts';
import { clusterOf } from './port.ts';

/** `tallyhook cluster leave`: this database is one of a machine alone again. */
export function addClusterLeaveCommand(cli: Cli): Cli {
  return cli.command(
    'leave',
    'Make this database one of a machine alone again, with all that the log has; refused while another node lives',
    (command) => command.example('$0 cluster leave', 'With serve stopped, on every machine'),
    async (argv) => {
      const { seq } = await clusterOf(await configFrom(argv)).leave();
      if (argv.json) return printJson({ seq });
      print(`Everything up to entry ${seq} is carried out; the log is marked as left, and stays.`);
      note('Next: take cluster.url out of the configuration, then start serve.');
    },
  );
}
