import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { note, print, printJson } from '../../show/output.ts';
import { clusterOf } from './port.ts';

/** `tallyhook cluster rebuild`: this machine's database is made anew from another node's; or the others are from this one's. */
export function addClusterRebuildCommand(cli: Cli): Cli {
  return cli.command(
    'rebuild',
    "Make this machine's database anew from the newest snapshot of another node, as after it diverged",
    (command) =>
      command
        .option('keep', {
          type: 'boolean',
          default: false,
          describe: 'Instead: of nodes that differ keep this one. It goes on, and the others are rebuilt from it',
        })
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; without it, nothing is changed' })
        .example('$0 cluster rebuild --yes', 'On the node that status names, with its serve stopped')
        .example('$0 cluster rebuild --keep --yes', 'On the right one of two that differ'),
    async (argv) => {
      const config = await configFrom(argv);
      const cluster = clusterOf(config);
      if (!argv.yes) {
        const what = argv.keep
          ? 'This node would go on, and what the other nodes wrote since would count for nothing'
          : `${config.database} would be set aside for the newest snapshot of the log`;
        throw new UsageError(
          `${what}. Nothing was done.`,
          `See which node differs: tallyhook cluster status. ${argv.keep ? 'Then' : 'Stop serve, then'} run it again with --yes.`,
        );
      }
      if (argv.keep) {
        const { seq } = await cluster.keep();
        if (argv.json) return printJson({ seq });
        print(`This node goes on; its database is the newest snapshot, at entry ${seq}.`);
        return note('Next, on each other node that has stopped: tallyhook cluster rebuild --yes');
      }
      const { seq, from, setAside, unfit } = await cluster.rebuild();
      if (unfit !== null) note(unfit);
      if (argv.json) return printJson({ seq, from, setAside });
      if (setAside !== null) print(`The database that was there is ${setAside} now.`);
      print(`${config.database} is the snapshot that ${from} put in, at entry ${seq}.`);
      note('Next: start serve; it carries out the rest.');
    },
  );
}
