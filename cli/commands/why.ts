import { ENVIRONMENTS, type Environment } from '../../src/domain/environment.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import { argumentText } from '../../src/domain/records/advised-word.ts';
import { RECORD_KINDS } from '../../src/domain/records/lifecycle.ts';
import type { Story } from '../../src/store/story.ts';
import { systemClock } from '../../src/time/clock.ts';
import { conclude } from '../../src/why/conclusion.ts';
import type { Entry, Wording } from '../../src/why/entry.ts';
import { incidentsOf } from '../../src/why/incidents.ts';
import { requestEntries } from '../../src/why/ours.ts';
import { isNothing, reconciledOf, reconciledRest } from '../../src/why/reconciled.ts';
import { reconciledEntries } from '../../src/why/statements.ts';
import type { TriedLeg } from '../../src/why/tried-pass.ts';
import { entriesOf } from '../../src/why/why.ts';
import { withArchive } from '../context/archive.ts';
import { serveReport } from '../context/serve-answer.ts';
import { REVEAL_OPTION } from '../options/filters.ts';
import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { eventJson } from '../show/event.ts';
import { answeredNo, bold, note, print, printJson } from '../show/output.ts';
import { maskedValue } from '../show/privacy.ts';
import { recordJson, type Shown } from '../show/record.ts';
import { deadline, localTime } from '../show/text.ts';
import { passesBeside, passesOf, passesTried, printPasses } from './why/passes.ts';
import {
  type ConcludedStory,
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
      const { reference, environment, kind } = argv;
      const filter = { ...(environment !== undefined && { environment }), ...(kind !== undefined && { kind }) };
      const nowMs = systemClock.nowMs();
      const [story, tried, incidents, { timeZone: zone, baseUrl, keyPairs }] = await withArchive(
        argv,
        async (archive, config) => {
          const found = await archive.story(reference, filter);
          const serve = await serveReport(config);
          const incidents = await incidentsOf(found, archive, { nowMs, zone: config.timeZone, serve });
          return [found, await passesTried(archive, config, argv), incidents, config] as const;
        },
      );
      const rest = reconciledRest(
        story.records.map(({ record }) => record),
        story.reconciled,
        kind,
      );
      if (isEmpty(story) && isNothing(rest) && tried.length === 0) throw unknown(reference, filter);
      const wording = wordingOf(zone, argv);
      const canCheck = (of: Environment) => baseUrl !== null && keyPairs.some((pair) => pair.environment === of);
      const records = story.records.map((each) => ({
        record: each.record,
        conclusion: conclude(each.record, { nowMs, wording, canCheck: canCheck(each.record.environment) }),
        entries: entriesOf({ ...each, reconciled: reconciledOf(each.record, story.reconciled), incidents }, wording),
        matching: passesOf(tried, each.record),
      }));
      const matching = passesBeside(tried, records);
      const whole = { ...story, records, reconciled: reconciledEntries(rest), matching, wording, zone };
      if (argv.json) printJson({ reference, timeZone: zone, ...storyJson(whole, argv) });
      else printStory(whole, argv);
      if (story.truncated) note('Only the oldest 10,000 events and 1,000 refunds are shown; there are more.');
      if (records.length + story.requests.length + story.refunds.length === 0) {
        if (story.events.length === 0) note(`There is no record ${reference}.`);
        else {
          note(`There is no record ${reference}: none of its events made one.`);
          note('See an event: tallyhook events show ID');
        }
        answeredNo();
      }
    },
  );
}

function isEmpty({ records, requests, refunds, events }: Story): boolean {
  return records.length + requests.length + refunds.length + events.length === 0;
}

function wordingOf(zone: string, { reveal }: Shown): Wording {
  const value: Wording['value'] = (name, text) => (reveal ? text : maskedValue(name, text));
  return { time: localTime(zone), deadline, value };
}

/** Everything about one reference. */
interface WholeStory extends Pick<Story, 'requests' | 'refunds' | 'events'> {
  readonly records: readonly ConcludedStory[];
  /** What statements and runs say of the reference, and of none of these records. */
  readonly reconciled: readonly Entry[];
  /** The passes of lines, batches and top-ups. */
  readonly matching: readonly TriedLeg[];
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

function unknown(reference: string, { environment, kind }: { environment?: string; kind?: string }): TallyhookError {
  const where = [kind === undefined ? '' : ` as a ${kind}`, environment === undefined ? '' : ` in ${environment}`];
  return new TallyhookError(`No record, event, request or statement has the reference ${reference}${where.join('')}.`, {
    kind: 'not_found',
    hint: `References are case-sensitive. Ask the service: tallyhook refunds status ${argumentText(reference)}; read its list: tallyhook backfill; or expect it: tallyhook track KIND ${argumentText(reference)}`,
  });
}
