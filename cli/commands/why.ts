import { ENVIRONMENTS } from '../../src/domain/environment.ts';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import { maskedValue } from '../../src/domain/text/privacy.ts';
import { systemClock } from '../../src/time/clock.ts';
import type { Wording } from '../../src/why/entry.ts';
import { requestEntries } from '../../src/why/ours.ts';
import { type ToldStory, tell } from '../../src/why/tell.ts';
import { withArchive } from '../context/archive.ts';
import { serveReport } from '../context/serve-answer.ts';
import { REVEAL_OPTION } from '../options/filters.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { eventJson } from '../show/event.ts';
import { answeredNo, bold, note, print, printJson } from '../show/output.ts';
import { recordJson, type Shown } from '../show/record.ts';
import { deadline, localTime } from '../show/text.ts';
import { printPasses } from './why/passes.ts';
import {
  entryJson,
  printEntries,
  printEventWithoutRecord,
  printRecordStory,
  printRefunds,
  recordStoryJson,
} from './why/story.ts';

/** `tallyhook why REFERENCE`: prints the state of a reference and its history in time order, in plain sentences. */
export function addWhyCommand(cli: Cli): Cli {
  return cli.command(
    'why <reference>',
    SUMMARY.why,
    (command) =>
      command
        .positional('reference', {
          type: 'string',
          demandOption: true,
          describe: 'Of a refund, payout or collection, or of a payment with refunds',
        })
        .option('environment', { choices: ENVIRONMENTS, describe: 'Only in this environment' })
        .option('kind', { choices: RECORD_KINDS, describe: 'Only as a record of this kind' })
        .options(REVEAL_OPTION)
        .example('$0 why RFD_1', 'Requests, webhooks, status checks, status changes and findings of one refund')
        .example('$0 why ORDER_17', 'A payment: its own story, and the refunds of it'),
    async (argv) => {
      const { reference } = argv;
      const [told, zone] = await withArchive(argv, async (archive, config) => {
        const wording = wordingOf(config.timeZone, argv);
        const serve = await serveReport(config);
        const story = await tell(archive, argv, { config, nowMs: systemClock.nowMs(), wording, serve });
        return [{ ...story, wording }, config.timeZone] as const;
      });
      const whole = { ...told, zone };
      const { records, otherRules, matching } = told;
      if (otherRules !== null && [...matching, ...records.flatMap((one) => one.matching)].length > 0)
        note(
          `The passes are those of \`reconcile.rules\`. The last run had other rules (${otherRules}), and may have taken other lines.`,
        );
      if (!told.isMatchingWhole) note('So much shares a name with it that the passes were tried on a part of it.');
      if (argv.json) printJson({ reference, timeZone: zone, ...storyJson(whole, argv) });
      else printStory(whole, argv);
      if (told.truncated) note('Only the oldest 10,000 events and 1,000 refunds are shown; there are more.');
      // Batches, top-ups and the fees of some days are ours without a record.
      const isOurs = matching.length === 0 ? told.reconciled.length > 0 : matching.some(({ kind }) => kind !== null);
      if (!isOurs && records.length + told.requests.length + told.refunds.length === 0) {
        if (told.events.length === 0) note(`There is no record ${reference}.`);
        else {
          note(`There is no record ${reference}: none of its events made one.`);
          note('See an event: tallyhook events show ID');
        }
        answeredNo();
      }
    },
  );
}

function wordingOf(zone: string, { reveal }: Shown): Wording {
  const value: Wording['value'] = (name, text) => (reveal ? text : maskedValue(name, text));
  return { time: localTime(zone), deadline, value };
}

interface WholeStory extends ToldStory {
  readonly wording: Wording;
  readonly zone: string;
}

function storyJson({ records, requests, refunds, events, reconciled, matching, wording }: WholeStory, shown: Shown) {
  return {
    records: records.map((each) => recordStoryJson(each, shown)),
    requests: requests.map(({ environment, kind, ...request }) => ({
      kind,
      environment,
      story: requestEntries({ environment, kind, ...request }, [], wording).map(entryJson),
    })),
    refunds: refunds.map((each) => recordJson(each, shown)),
    events: events.map(eventJson),
    reconciled: reconciled.map(entryJson),
    matching,
  };
}

function printStory(story: WholeStory, shown: Shown): void {
  const { records, requests, refunds, events, reconciled, matching, wording, zone } = story;
  const { time } = wording;
  for (const each of records) {
    printRecordStory(each, time, shown);
    print();
  }
  for (const request of requests) {
    const became = request.recordReference === null ? '' : `: it became ${request.recordReference}`;
    print(bold(`request of a ${request.kind} (${request.environment})${became}`));
    printEntries(requestEntries(request, [], wording), time);
    print();
  }
  if (refunds.length > 0) {
    printRefunds(refunds, shown);
    print();
  }
  if (events.length > 0) {
    print(bold('Events that made no record'));
    for (const event of events) printEventWithoutRecord(event, time);
    print();
  }
  if (reconciled.length > 0) {
    print(bold('Statements that name it, without a record'));
    printEntries(reconciled, time);
    print();
  }
  if (matching.length > 0) {
    printPasses(matching);
    print();
  }
  print(`Times are in ${zone}.`);
}
