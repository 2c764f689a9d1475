import { randomInt } from 'node:crypto';
import { ENVIRONMENTS } from '../../src/domain/environment.ts';
import { type SampleDelivery, sampleDeliveries, seededRandom } from '../../src/receive/sample/deliveries.ts';
import { COLLECTION_SHAPES, SAMPLE_EVENT_NAMES, SAMPLE_EVENTS } from '../../src/receive/sample/sample.ts';
import { configFrom } from '../context/config.ts';
import { stopSignal } from '../context/stop-signal.ts';
import { type Cli, UsageError, wholeNumberOption } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { type ListArguments, printList, wholeList } from '../show/list.ts';
import { answeredNo, note, print, printJson } from '../show/output.ts';
import { progressBar } from '../show/progress.ts';
import { duration } from '../show/text.ts';
import {
  allowedEnvironment,
  checkedCurrency,
  checkedUrl,
  minorUnits,
  noteUnreadableTime,
  receiverUrl,
  signingKey,
} from './trigger/checked.ts';
import type { SendResult } from './trigger/send.ts';

/** `tallyhook trigger EVENT`: sends correctly signed samples to the receiver or any URL. */
export function addTriggerCommand(cli: Cli): Cli {
  return cli.command(
    'trigger [event]',
    SUMMARY.trigger,
    (command) =>
      command
        .positional('event', { choices: SAMPLE_EVENT_NAMES, describe: 'Which event' })
        .option('list', { type: 'boolean', describe: 'List the events and send nothing' })
        .option('url', { type: 'string', requiresArg: true, describe: 'Target [the receiver of the configuration]' })
        .option('environment', { choices: ENVIRONMENTS, default: 'test' as const, describe: 'Whose keys sign' })
        .option(
          'count',
          wholeNumberOption('count', { least: 1, most: 1_000_000, standard: 1, describe: 'Distinct events' }),
        )
        .option(
          'concurrency',
          wholeNumberOption('concurrency', { least: 1, most: 1024, standard: 1, describe: 'Requests at a time' }),
        )
        .option(
          'duplicates',
          wholeNumberOption('duplicates', { most: 1000, standard: 0, describe: 'Further deliveries of each event' }),
        )
        .option('disorder', { type: 'boolean', default: false, describe: 'Send in random order' })
        .option('variant', { type: 'boolean', default: false, describe: 'Also send the same key with other content' })
        .option('wrong-signature', { type: 'boolean', default: false, describe: 'Sign with a wrong key; expect 401' })
        .option('mutate-body', { type: 'boolean', default: false, describe: 'Change the signed body; expect 401' })
        .option('old-key', { type: 'string', requiresArg: true, describe: 'Sign with the key pair of this id' })
        .option('shape', { choices: COLLECTION_SHAPES, describe: 'Shape of a collection event [A]' })
        .option('reference', { type: 'string', requiresArg: true, describe: 'Reference; updates of it with --count' })
        .option('amount', { type: 'string', requiresArg: true, default: '50.00', describe: 'Decimal amount' })
        .option('currency', { type: 'string', requiresArg: true, describe: 'Currency [USD for refunds, else NGN]' })
        .option('updated-at', { type: 'string', requiresArg: true, describe: 'Text of updated_at [now]' })
        .option('seed', wholeNumberOption('seed', { most: 2 ** 32 - 1, standard: undefined, describe: 'Repeat a run' }))
        .option('live', { type: 'boolean', default: false, describe: 'Allow signing with a live key (needs --yes)' })
        .option('yes', { type: 'boolean', default: false, describe: 'Confirm --live' })
        .example('$0 trigger refund.success', 'One completed refund')
        .example(
          '$0 trigger payout.failed --count 1000 --duplicates 2 --disorder --concurrency 16',
          '3,000 deliveries in random order',
        )
        .example('$0 trigger refund.pending --wrong-signature', 'A forgery; the receiver answers 401'),
    async (argv) => {
      if (argv.list) {
        if (argv.event !== undefined)
          throw new UsageError('--list sends nothing, and takes no EVENT: leave one of them out.');
        return listEvents(argv);
      }
      if (argv.event === undefined) throw new UsageError('Which event?', 'List them: tallyhook trigger --list');
      if (argv.shape !== undefined && !argv.event.startsWith('transaction.'))
        throw new UsageError(`--shape is of collection events, and ${argv.event} is none.`);
      const environment = allowedEnvironment(argv);
      const config = await configFrom(argv);
      const keyPair = signingKey(config, environment, argv.oldKey);
      const url = argv.url ?? receiverUrl(config, environment);
      const seed = argv.seed ?? randomInt(2 ** 32);
      const currency = argv.currency === undefined ? undefined : checkedCurrency(argv.currency);
      if (argv.updatedAt !== undefined) noteUnreadableTime(argv.updatedAt);
      const order = { ...argv, currency, event: argv.event, keyPair, amountMinor: minorUnits(argv.amount) };
      const deliveries = sampleDeliveries(order, seededRandom(seed), new Date());
      const { send } = await import('./trigger/send.ts');
      const stop = stopSignal('no further sample is sent');
      const progress = progressBar(deliveries.length, 'sent');
      const result = await send(checkedUrl(url), deliveries, {
        concurrency: argv.concurrency,
        signal: stop.signal,
        onSent: progress.step,
      }).finally(() => {
        progress.end();
        stop.dispose();
      });
      const facts = { event: argv.event, url, environment, keyId: keyPair.id, seed };
      if (argv.json) printJson({ ...facts, ...result, references: references(deliveries) });
      else printResult(result, { ...facts, total: deliveries.length, references: references(deliveries) });
      if (result.unexpected > 0 || result.sent < deliveries.length) answeredNo();
    },
  );
}

async function listEvents(argv: ListArguments): Promise<void> {
  const rows = SAMPLE_EVENT_NAMES.map((event) => ({ event, meaning: SAMPLE_EVENTS[event] }));
  const columns = [
    { header: 'EVENT', value: (row: (typeof rows)[number]) => row.event },
    { header: 'MEANING', value: (row: (typeof rows)[number]) => row.meaning },
  ];
  await printList(wholeList(rows), argv, { json: (row) => row, columns, empty: 'There are no events.' });
}

interface Sent {
  readonly event: string;
  readonly url: string;
  readonly keyId: string;
  readonly seed: number;
  readonly total: number;
  readonly references: readonly string[];
}

function printResult(result: SendResult, { event, url, keyId, seed, total, references: sampled }: Sent): void {
  note(`${event} to ${url}, signed by ${keyId}, seed ${seed}`);
  const answers = Object.entries(result.answers).map(([status, count]) => `${count} × ${status}`);
  const of = result.sent < total ? ` of ${total}` : '';
  print(`sent        ${result.sent}${of} in ${duration(result.tookMs)}`);
  print(`responses   ${answers.join(', ')}`);
  print(`latency     p50 ${duration(result.p50Ms)}, p99 ${duration(result.p99Ms)}`);
  print(`reference   ${sampled[0] ?? '-'}${sampled.length > 1 ? ' …' : ''}`);
  if (result.firstError !== null)
    note(`No response: ${result.firstError}. Is the receiver running? Start it: tallyhook serve`);
  const { 401: refused = 0 } = result.unexpectedAnswers;
  if (refused > 0) {
    note(`${refused} of ${result.sent} refused (401): the receiver does not have key ${keyId}.`);
    note('Start it with this configuration, or sign with a key that it has: --old-key ID. See: tallyhook doctor');
  }
  const { none = 0 } = result.unexpectedAnswers; // their error is shown above
  const others = result.unexpected - refused - none;
  if (others > 0) note(`${others} of ${result.sent} responses had another status than expected.`);
}

const SHOWN_REFERENCES = 100;

function references(deliveries: readonly SampleDelivery[]): string[] {
  return [...new Set(deliveries.map((each) => each.reference))].slice(0, SHOWN_REFERENCES);
}
