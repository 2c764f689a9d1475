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

/** `tallyhook health`: reports per channel whether webhooks arrive, and in time. Exit code 3 when a channel has a problem. */
export function addHealthCommand(cli: Cli): Cli {
  return cli.command(
    'health',
    'Report how well webhooks arrive; exit code 3 when a channel is silent or sweeps come first too often',
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
            describe: 'Per cent of records that a sweep may settle before a webhook',
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
    `${environment} ${kind}s: nothing was received for ${duration(silentForMs ?? 0)}; the usual gap is ` +
    `${duration(usualGapMs ?? 0)}. Check the path to the receiver: tallyhook doctor --public-url URL`,
  sweep_share: ({ kind, environment, sweepShare, repaired }) =>
    `${environment} ${kind}s: ${percentText(sweepShare ?? 0)} of the outcomes came from a status check first; ${repaired} have ` +
    'no webhook so far. Compare the refusals in tallyhook stats with the log of webhooks at the service.',
} as const satisfies Record<ChannelProblem, (channel: ChannelHealth) => string>;
