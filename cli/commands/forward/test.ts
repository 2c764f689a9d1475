import { randomBytes } from 'node:crypto';
import type { Config } from '../../../src/config/load.ts';
import { httpDeliverer } from '../../../src/forward/deliver.ts';
import { type HttpTarget, httpTargets } from '../../../src/forward/targets.ts';
import { testNews } from '../../../src/forward/test-news.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import type { Cli } from '../../options/options.ts';
import { unknownTarget } from '../../options/targets.ts';
import { answeredNo, print, printJson } from '../../show/output.ts';
import { duration } from '../../show/text.ts';

/** `tallyhook forward test TARGET`: sends one signed test request, past queue and breaker. */
export function addForwardTestCommand(cli: Cli): Cli {
  return cli.command(
    'test <target>',
    'Send one signed request of type tallyhook.test at once; nothing is kept or repeated',
    (command) =>
      command
        .positional('target', { type: 'string', demandOption: true, describe: 'Its name in the configuration' })
        .example('$0 forward test shop', 'Does it verify, and answer 2xx?'),
    async (argv) => {
      const target = namedTarget(argv.target, await configFrom(argv));
      const parcel = testNews(`msg_${randomBytes(16).toString('hex')}`);
      const deliverer = httpDeliverer(target, { clock: systemClock });
      const startedMs = performance.now();
      const { outcome, status, detail } = await deliverer
        .deliver(parcel, new AbortController().signal)
        .finally(() => deliverer.close());
      const ms = Math.round(performance.now() - startedMs);
      const delivered = outcome === 'delivered';
      const error = delivered ? null : [outcome, detail].filter((part) => part !== null && part !== '').join(': ');
      if (argv.json) printJson({ target: target.name, delivered, status, ms, error });
      else if (delivered) print(`Target ${target.name} accepted it: ${status}, in ${duration(ms)}`);
      else print(`Target ${target.name} did not accept it: ${status ?? 'no answer'}, ${error}`);
      if (!delivered) answeredNo();
    },
  );
}

/** @throws UsageError when the configuration has no such target */
export function namedTarget(name: string, config: Pick<Config, 'forward'>): HttpTarget {
  const targets = httpTargets(config);
  const found = targets.find((target) => target.name === name);
  if (found !== undefined) return found;
  throw unknownTarget(
    name,
    targets.map((target) => target.name),
    'forward.targets has none.',
  );
}
