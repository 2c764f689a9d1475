import { channelSenders } from '../../../src/alert/channels.ts';
import { type AlertMessage, alertMessage } from '../../../src/alert/message.ts';
import { SEND_TIMEOUT_MS } from '../../../src/alert/send.ts';
import { channelsOf, nameOf } from '../../../src/alert/terms.ts';
import { ALERT_CHANNELS, type AlertChannel } from '../../../src/domain/alerts/alert-cause.ts';
import { configFrom } from '../../context/config.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { calendarOf } from '../../options/when.ts';
import { answeredNo, note, print, printJson } from '../../show/output.ts';

interface Tested {
  readonly channel: AlertChannel;
  readonly sent: boolean;
  readonly error: string | null;
}

/** `tallyhook alerts test`: a sample through every channel. Exit code 1 when one did not take it. */
export function addAlertsTestCommand(cli: Cli): Cli {
  return cli.command(
    'test [channel]',
    'Send a sample through every channel, or one',
    (command) =>
      command
        .positional('channel', { choices: ALERT_CHANNELS, describe: 'Only this one' })
        .example('$0 alerts test mail', 'Does the mail server take it?')
        .epilogue('Exit code 1: a channel did not take the sample.'),
    async (argv) => {
      const config = await configFrom(argv);
      const configured = channelsOf(config.alerts);
      const { channel } = argv;
      if (channel !== undefined && !configured.includes(channel))
        throw new UsageError(
          `The channel ${channel} is not set up.`,
          `Set it under alerts.${channel} of the configuration.`,
        );
      const senders = channelSenders(config.alerts, ({ text }: AlertMessage) => note(text));
      const context = calendarOf(config);
      const tested = await Promise.all(
        (channel === undefined ? configured : [channel]).map(async (name): Promise<Tested> => {
          const message = alertMessage(sampleOf(name, context.nowMs), 'opened', {
            ...context,
            name: nameOf(config.alerts),
          });
          const error = await senders
            .get(name)?.(message, AbortSignal.timeout(SEND_TIMEOUT_MS))
            .then(
              () => null,
              (failure: Error) => failure.message,
            );
          return { channel: name, sent: error === null, error: error ?? null };
        }),
      );
      if (argv.json) printJson({ channels: tested });
      else
        for (const { channel: name, error } of tested)
          print(`${name}: ${error === null ? 'sent' : `failed: ${error}`}`);
      if (tested.some(({ sent }) => !sent)) answeredNo();
    },
  );
}

function sampleOf(channel: AlertChannel, nowMs: number) {
  const times = { openedAtMs: nowMs, closedAtMs: null };
  return { cause: 'test', subject: channel, severity: 'info', size: 1, facts: {}, ...times } as const;
}
