import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { print, printJson } from '../../show/output.ts';
import { clusterOf } from './port.ts';

/** `tallyhook cluster adopt`: the log on this server counts, after it was copied there. */
export function addClusterAdoptCommand(cli: Cli): Cli {
  return cli.command(
    'adopt',
    'Make the log on this server the one that counts, after a dump of it was loaded there',
    (command) =>
      command
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; without it, only say what it is about' })
        .example('$0 cluster adopt --yes', 'After a move to another server or database. Never for a test with a copy'),
    async (argv) => {
      const cluster = clusterOf(await configFrom(argv));
      const { head, server } = await cluster.status();
      if (!head.isCopy) {
        if (argv.json) return printJson({ adopted: false });
        return print(`The log at ${server.name} counts already; nothing was changed.`);
      }
      if (!argv.yes) {
        throw new UsageError(
          `The log at ${server.name} is a copy, up to entry ${head.seq}: nothing leaves for outside from it.`,
          'If the server that it was copied from is gone for good, run it again with --yes. Else payments are made twice.',
        );
      }
      const { installation, epoch, seq } = await cluster.adopt();
      if (argv.json) return printJson({ adopted: true, installation, epoch, seq });
      print(
        `The log at ${server.name} counts now: epoch ${epoch}, entry ${seq}. Every node joins anew at its next start.`,
      );
    },
  );
}
