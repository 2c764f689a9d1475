import { randomBytes } from 'node:crypto';
import { didYouMean } from '../../../src/config/did-you-mean.ts';
import type { ForwardMoment } from '../../../src/domain/forwarding/forward-target.ts';
import { EXAMPLE_TYPES, exampleParcel, TEST_TYPE } from '../../../src/forward/example-news.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { namedTarget } from '../../options/targets.ts';
import { answeredNo, print, printJson } from '../../show/output.ts';
import { duration } from '../../show/text.ts';

/** `tallyhook forward test TARGET`: sends one signed request, a test or an example of news, past queue and breaker. */
export function addForwardTestCommand(cli: Cli): Cli {
  return cli.command(
    'test <target>',
    'Send one signed request at once, a test or an example of news; nothing is kept or repeated',
    (command) =>
      command
        .positional('target', { type: 'string', demandOption: true, describe: 'Its name in the configuration' })
        .option('type', {
          type: 'string',
          requiresArg: true,
          default: TEST_TYPE,
          describe: 'Type of the news, such as refund.success; its reference, tallyhook-test, is of no record',
        })
        .example('$0 forward test shop', 'Does it verify, and answer 2xx?')
        .example('$0 forward test shop --type refund.success', 'What does it do with a refund that succeeded?'),
    async (argv) => {
      const config = await configFrom(argv);
      const target = namedTarget(argv.target, config);
      const when = config.forward.targets.find(({ name }) => name === target.name)?.when ?? 'confirmed';
      const parcel = exampleParcel(`msg_${randomBytes(16).toString('hex')}`, knownType(argv.type, when), when);
      const { httpDeliverer } = await import('../../../src/forward/deliver.ts'); // a client, that no other command of events and forward needs
      const deliverer = httpDeliverer(target, { clock: systemClock });
      const startedMs = performance.now();
      const { outcome, status, detail } = await deliverer
        .deliver(parcel, new AbortController().signal)
        .finally(() => deliverer.close());
      const ms = Math.round(performance.now() - startedMs);
      const delivered = outcome === 'delivered';
      const error = delivered ? null : [outcome, detail].filter((part) => part !== null && part !== '').join(': ');
      if (argv.json) printJson({ target: target.name, type: argv.type, delivered, status, ms, error });
      else if (delivered) print(`Target ${target.name} accepted it: ${status}, in ${duration(ms)}`);
      else print(`Target ${target.name} did not accept it: ${status ?? 'no answer'}, ${error}`);
      if (!delivered) answeredNo();
    },
  );
}

function knownType(type: string, when: ForwardMoment): string {
  const known = EXAMPLE_TYPES[when];
  if (known.includes(type)) return type;
  const meant = didYouMean(type, known);
  throw new UsageError(
    `--type is ${JSON.stringify(type)}: a target with when: ${when} gets no such news.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    `Types: ${known.join(', ')}.`,
  );
}
