import { SEEN_LISTS } from '../../../src/store/seen.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import type { Cli } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf } from '../../options/person.ts';
import { print, printJson } from '../../show/output.ts';
import { isoTime, time } from '../../show/text.ts';

/** `tallyhook events seen LIST`: a person has looked through the list as it stands now. */
export function addEventsSeenCommand(cli: Cli): Cli {
  return cli.command(
    'seen <list>',
    'Note that you have looked through a list: what comes later is new',
    (command) =>
      command
        .positional('list', {
          choices: SEEN_LISTS,
          demandOption: true,
          describe: 'What was refused, or what is in quarantine or was set aside',
        })
        .option('as', PERSON_OPTIONS.as)
        .example('$0 events seen refused', 'After: tallyhook refused'),
    async (argv) => {
      const by = personOf(argv);
      const operations = await operationsOf(await configFrom(argv));
      const upToMs = systemClock.nowMs();
      try {
        await operations.seen.mark({ list: argv.list, upToMs, by });
      } finally {
        await operations.close();
      }
      if (argv.json) printJson({ list: argv.list, upTo: isoTime(upToMs), by });
      else print(`Seen by ${by}, up to ${time(upToMs)}`);
    },
  );
}
