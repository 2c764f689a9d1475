import { TallyhookError } from '../../../src/domain/error.ts';
import { counted } from '../../../src/domain/text/quantity-text.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { PERSON_OPTIONS, personOf } from '../../options/person.ts';
import { print, printJson } from '../../show/output.ts';

/** `tallyhook events lost-log --yes`: goes on without a log that is lost for good. */
export function addEventsLostLogCommand(cli: Cli): Cli {
  return cli.command(
    'lost-log',
    'Go on without a log of deliveries that is lost: the next start of serve makes a new one',
    (command) =>
      command
        .option('as', PERSON_OPTIONS.as)
        .option('yes', { type: 'boolean', default: false, describe: 'Do it; without it, only say what is lost' })
        .example('$0 events lost-log --yes', 'With `serve` stopped'),
    async (argv) => {
      const by = personOf(argv);
      const config = await configFrom(argv);
      const operations = await operationsOf(config);
      const { refused, file, carriedOut, left } = await operations.log
        .lose({ by, dryRun: !argv.yes })
        .finally(() => operations.close());
      if (refused !== null) throw refusal(refused, file);
      if (argv.json) printJson({ done: argv.yes, log: file, carriedOut, left });
      else {
        print(
          `${left === null ? `${file} is gone` : `The end of ${file} is lost`}. Entries up to ${carriedOut} are carried out; what was acknowledged behind it ${argv.yes ? 'is' : 'would be'} lost${left === null ? '' : `, but for ${counted(left, 'delivery', 'deliveries')} in what is left of the log`}.`,
        );
        const missed =
          config.baseUrl === null ? 'ask the service to send it again' : 'tallyhook sweep and tallyhook backfill';
        if (argv.yes) print(`Start serve, then bring in what it missed: ${missed}`);
      }
      if (!argv.yes) throw new UsageError('Nothing was done.', 'Run it again with --yes.');
    },
  );
}

function refusal(refused: 'no log known' | 'log is there', file: string): TallyhookError {
  if (refused === 'no log known')
    return new TallyhookError('This database knows no log; nothing was done.', {
      kind: 'failed',
      hint: 'The next start of serve makes one.',
    });
  return new TallyhookError(`The log ${file} is there; nothing was done.`, {
    kind: 'failed',
    hint: 'Is it not the log of this database, move it away first. See: tallyhook doctor',
  });
}
