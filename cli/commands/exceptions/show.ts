import { TallyhookError } from '../../../src/domain/error.ts';
import { argumentText } from '../../../src/domain/records/advised-word.ts';
import { printableLine } from '../../../src/domain/text/printable.ts';
import { maskedValue } from '../../../src/domain/text/privacy.ts';
import { type BothSides, bothSides } from '../../../src/reconcile/exceptions/both-sides.ts';
import type { QueueDay } from '../../../src/reconcile/exceptions/queue.ts';
import { logText } from '../../../src/reconcile/exceptions/words.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { Exception, ExceptionLogEntry } from '../../../src/store/exceptions.ts';
import type { Entry, Wording } from '../../../src/why/entry.ts';
import { recordStory } from '../../../src/why/why.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { bothSidesJson, printBothSides } from '../../show/both-sides.ts';
import { exceptionJson, logJson } from '../../show/exception.ts';
import { printException } from '../../show/exception-text.ts';
import { bold, print, printFacts, printJson } from '../../show/output.ts';
import type { Shown } from '../../show/record.ts';
import { deadline, localTime } from '../../show/text.ts';
import { entryJson, printEntries } from '../why/story.ts';
import { withQueue } from './queue.ts';

interface WholeException {
  readonly exception: Exception;
  readonly log: readonly ExceptionLogEntry[];
  readonly sides: BothSides;
  /** What happened to the record, in time order; empty where no record is behind it. */
  readonly story: readonly Entry[];
}

/** `tallyhook exceptions show ID`: shows an exception, the story of both sides, and what was done about it. */
export function addExceptionsShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one: its values, the line and the record behind it with their story, and what was done',
    (command) =>
      command
        .positional('id', {
          type: 'string',
          demandOption: true,
          describe: 'Its id, such as x-0123456789abcdef01234567',
        })
        .options(REVEAL_OPTION)
        .example('$0 exceptions show x-0123456789abcdef01234567', 'From the number to the bank line and the webhook'),
    async (argv) => {
      await withQueue(argv, async (archive, config, day) => {
        const wording = wordingOf(config.timeZone, argv);
        const whole = await wholeException(archive, argv.id, wording);
        if (argv.json) printJson(wholeJson(whole, day, argv));
        else printWhole(whole, { wording, day, shown: argv });
      });
    },
  );
}

async function wholeException(archive: Archive, id: string, wording: Wording): Promise<WholeException> {
  const exception = await archive.exception(id);
  if (exception === null) {
    const hint = 'List them: tallyhook exceptions list';
    throw new TallyhookError(`There is no exception ${JSON.stringify(id)}.`, { kind: 'not_found', hint });
  }
  const sides = await bothSides(archive, exception, Number.MAX_SAFE_INTEGER);
  const log = await archive.exceptionLog(id);
  return { exception, log, sides, story: await recordStory(archive, exception, wording) };
}

function wordingOf(zone: string, { reveal }: Shown): Wording {
  const value: Wording['value'] = (name, text) => (reveal ? text : maskedValue(name, text));
  return { time: localTime(zone), deadline, value };
}

function wholeJson({ exception, log, sides, story }: WholeException, day: QueueDay, shown: Shown) {
  return {
    asOf: day.today,
    ...exceptionJson(exception, day),
    ...bothSidesJson(sides, shown),
    story: story.map(entryJson),
    log: log.map(logJson),
  };
}

interface Printed {
  readonly wording: Wording;
  readonly day: QueueDay;
  readonly shown: Shown;
}

function printWhole(
  { exception, log, sides, story }: WholeException,
  { wording: { time }, day, shown }: Printed,
): void {
  printException(exception, day);
  printBothSides(exception.line, sides, shown);
  if (story.length > 0) {
    print(`\n${bold('Story of the record')}`);
    printEntries(story, time);
  }
  print(`\n${bold('What was done')}`);
  for (const entry of log) print(`${time(entry.atMs)}  ${printableLine(logText(entry))}`);
  const { reference } = exception;
  if (reference !== null) {
    print();
    printFacts([['the whole story', `tallyhook why ${argumentText(reference)}`]]);
  }
}
