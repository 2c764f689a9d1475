import type { Config } from '../config/load.ts';
import type { AlertChannel } from '../domain/alerts/alert-cause.ts';
import { mailChannel } from './mail.ts';
import type { AlertMessage } from './message.ts';
import type { SendNotice } from './send.ts';
import { webhookChannel } from './webhook.ts';

/** Where notices go from this process: the log is a function of the caller's. */
export function channelSenders(
  { webhook, mail }: Pick<Config['alerts'], 'webhook' | 'mail'>,
  toLog: (message: AlertMessage) => void,
): ReadonlyMap<AlertChannel, SendNotice> {
  const senders = new Map<AlertChannel, SendNotice>([['log', async (message) => toLog(message)]]);
  if (webhook !== null) senders.set('webhook', webhookChannel(webhook));
  if (mail !== null) senders.set('mail', mailChannel(mail));
  return senders;
}
