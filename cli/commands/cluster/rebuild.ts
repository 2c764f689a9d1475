import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { note, print, printJson } from '../../show/output.ts';
import { clusterOf } from './port.ts';

/** `tallyhook cluster rebuild`: this machine's database is made anew from another node's. */
export function addClusterRebuildCommand(cli: Cli): Cli {
  return cli.command(
    'rebuild',
    "Make this machine's database anew from the newest snapshot of another node, as after it diverged",
    (command) =>
      command
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; without it, nothing is changed' })
        .example('$0 cluster rebuild --yes', 'On the node that status names'),
    async (argv) => {
      const config = await configFrom(argv);
      const cluster = clusterOf(config);
      if (!argv.yes) {
        throw new UsageError(
          `${config.database} would be overwritten by the newest snapshot of the log. Nothing was done.`,
          'See which node differs: tallyhook cluster status. Back this database up, stop serve, then run it again with --yes.',
        );
      }
      const { seq, from } = await cluster.rebuild();
      if (argv.json) return printJson({ seq, from });
      print(`${config.database} is the snapshot that ${from} put in, at entry ${seq}.`);
      note('Next: start serve; it carries out the rest.');
    },
  );
}
