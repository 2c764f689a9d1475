import { configFrom } from '../../context/config.ts';
import type { Cli } from '../../options/options.ts';
import { note, print, printJson } from '../../show/output.ts';
import { clusterOf } from './port.ts';

/** `tallyhook cluster upgrade`: from here on the rules of this program decide. */
export function addClusterUpgradeCommand(cli: Cli): Cli {
  return cli.command(
    'upgrade',
    'Let this program and its settings decide from here on; nodes of the older one wait until they are replaced',
    (command) => command.example('$0 cluster upgrade', 'Once the new program is installed on the first machine'),
    async (argv) => {
      const { version, seq, changed } = await clusterOf(await configFrom(argv)).upgrade();
      if (argv.json) return printJson({ version, seq, changed });
      if (seq === null) return print(`The rules of ${version} and these settings decide already.`);
      print(`From entry ${seq} on ${version} decides (${changed.join(' and ')}).`);
      note(
        'Next: restart serve on each machine with this program, one after the other. None refuses a delivery meanwhile.',
      );
    },
  );
}
