import {
  type ChannelHealth,
  type ChannelProblem,
  channelHealth,
  STANDARD_SWEEP_SHARE,
} from '../../src/confirm/health.ts';
import { ENVIRONMENTS } from '../../src/domain/environment.ts';
import { systemClock } from '../../src/time/clock.ts';
import { withArchive } from '../context/archive.ts';
import { type Cli, wholeNumberOption } from '../options/options.ts';
import { instantOf } from '../options/when.ts';
import { channelJson, percentText, printChannels } from '../show/health.ts';
import { differencesFound, note, printJson } from '../show/output.ts';
import { duration, isoTime } from '../show/text.ts';

/** `tallyhook health`: whether webhooks still tell us everything, and in time. Ends with 3 when a channel does not. */
export function addHealthCommand(cli: Cli): Cli {
  return cli.command(
    'health',
    'How well webhooks reach us; ends with 3 when a kind is silent or too much is learnt by sweeps',
    (command) =>
      command
        .option('since', {
          type: 'string',
          requiresArg: true,
          default: '7d',
          describe: 'Records first seen since: ISO time with offset, date (UTC), or 24h, 7d ago',
        })
        .option('environment', { choices: ENVIRONMENTS, describe: 'Only this environment' })
        .option(
          'sweep-share',
          wholeNumberOption('sweep-share', {
            least: 0,
            most: 100,
            standard: STANDARD_SWEEP_SHARE * 100,
            describe: 'Per cent of settled states that sweeps may be the first to learn',
          }),
        )
        .example('$0 health --environment live --since 24h', 'The last day of the live environment'),
    async (argv) => {
      const nowMs = systemClock.nowMs();
      const rules = {
        nowMs,
        sinceMs: instantOf(argv.since, 'since', nowMs),
        sweepShare: argv.sweepShare / 100,
      };
      const all = await withArchive(argv, (archive) => channelHealth(archive, rules));
      const { environment } = argv;
      const channels = all.filter((channel) => environment === undefined || channel.environment === environment);
      if (argv.json) {
        const { sinceMs, sweepShare } = rules;
        printJson({ since: isoTime(sinceMs), sweepShareAllowed: sweepShare, channels: channels.map(channelJson) });
      } else {
        printChannels(channels);
        for (const channel of channels) for (const problem of channel.problems) note(ADVICE[problem](channel));
      }
      if (channels.some(({ problems }) => problems.length > 0)) differencesFound();
    },
  );
}

const ADVICE = {
  silent: ({ kind, environment, silentForMs, usualGapMs }) =>
    `${environment} ${kind}s: nothing has come for ${duration(silentForMs ?? 0)}, and usually something comes every ` +
    `${duration(usualGapMs ?? 0)}. Is the way in open? tallyhook doctor --public-url URL`,
  sweep_share: ({ kind, environment, sweepShare, repaired }) =>
    `${environment} ${kind}s: ${percentText(sweepShare ?? 0)} of the outcomes were learnt by a status check, and of ${repaired} ` +
    'no webhook has told. Compare the refusals in tallyhook stats with the log of webhooks at the service.',
} as const satisfies Record<ChannelProblem, (channel: ChannelHealth) => string>;
