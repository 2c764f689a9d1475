import { ALERT_CHANNELS, type AlertChannel } from '../domain/alerts/alert-cause.ts';
import type { Alerts } from '../store/alerts.ts';
import { MINUTE_MS } from '../time/clock.ts';
import { alertMessage, type MessageContext } from './message.ts';
import { SEND_TIMEOUT_MS, type SendNotice } from './send.ts';

export interface DeliverParts {
  readonly alerts: Pick<Alerts, 'leaseNotices' | 'finishNotice'>;
  readonly senders: ReadonlyMap<AlertChannel, SendNotice>;
  readonly context: MessageContext;
  /** Aborted when the process is to stop; the remaining notices are for the next call. */
  readonly signal: AbortSignal;
  readonly onFailed: (channel: AlertChannel, error: string) => void;
}

/** Longer than one notice may take, so that no other process sends it meanwhile. */
const LEASE_MS = MINUTE_MS;
/** Notices of one channel per call; the next call is a minute later. */
const MOST = 50;

/**
 * Sends every due notice, the channels side by side, so that a slow mail server delays no chat. A channel that fails is left alone until its
 * next try.
 */
export async function deliverNotices(parts: DeliverParts): Promise<{ readonly sent: number; readonly failed: number }> {
  const channels = ALERT_CHANNELS.filter((channel) => parts.senders.has(channel));
  const counts = await Promise.all(channels.map((channel) => deliverTo(channel, parts)));
  const sum = (of: 'sent' | 'failed') => counts.reduce((total, each) => total + each[of], 0);
  return { sent: sum('sent'), failed: sum('failed') };
}

async function deliverTo(channel: AlertChannel, { alerts, senders, context, signal, onFailed }: DeliverParts) {
  const send = senders.get(channel) as SendNotice;
  for (let sent = 0; sent < MOST && !signal.aborted; sent++) {
    const [notice] = await alerts.leaseNotices({ channels: [channel], limit: 1, leaseMs: LEASE_MS });
    if (notice === undefined) return { sent, failed: 0 };
    const { id, attempt, alert, change } = notice;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
    const error = await send(alertMessage(alert, change, context), limit).then(() => null, textOf);
    await alerts.finishNotice({ id, attempt, error });
    if (error === null) continue;
    onFailed(channel, error);
    return { sent, failed: 1 };
  }
  return { sent: MOST, failed: 0 };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
