import { channelSenders } from '../alert/channels.ts';
import { deliverNotices } from '../alert/deliver.ts';
import type { AlertMessage } from '../alert/message.ts';
import { causesOf, termsOf } from '../alert/terms.ts';
import { look } from '../confirm/look.ts';
import { storeOf } from '../confirm/store.ts';
import type { JudgedCounts } from '../store/alerts.ts';
import { DAY_MS } from '../time/clock.ts';
import { AlertWatches } from './alert-watches.ts';
import { bookFacts } from './book-facts.ts';
import { type Conditions, conditionsOf } from './conditions.ts';
import type { Job, JobParts } from './job.ts';
import { endingPairs } from './signal-conditions.ts';

export interface AlertParts extends Pick<JobParts, 'config' | 'operations' | 'clock' | 'signal' | 'onWarning'> {
  readonly watches: AlertWatches;
  /** Writes a notice to the log of this process. */
  readonly onAlert: (message: AlertMessage) => void;
  /** False for an installation that has given up `serve`. */
  readonly expectServe?: boolean;
}

export interface CheckedAlerts extends JudgedCounts {
  readonly sent: number;
  readonly failed: number;
}

/** Quarantined events and used keys are looked at this far back. */
const RECENT_MS = DAY_MS;
/** A beat that takes longer has failed. */
const BEAT_TIMEOUT_MS = 10_000;

/**
 * Judges all facts, tells what changed, and then beats: a watcher outside hears from us only while `serve` runs and the database can be written.
 * Notices that could not be sent earlier go out too.
 */
export async function checkAlerts(parts: AlertParts): Promise<CheckedAlerts> {
  const { config, operations, clock, signal, onWarning } = parts;
  const found = await conditionsNow(parts);
  const judged = await operations.alerts.judge({ ...found, terms: termsOf(config.alerts) });
  const delivered = await deliverNotices({
    alerts: operations.alerts,
    senders: channelSenders(config.alerts, parts.onAlert),
    context: { nowMs: clock.nowMs(), zone: config.timeZone },
    signal,
    onFailed: (channel, error) => onWarning(`alerts: ${channel} did not take a notice: ${error}; it is tried again`),
  });
  // From cron, beside a dead `serve`, a beat would say that all is well.
  if (found.conditions.every(({ cause }) => cause !== 'serve_not_running')) await beat(parts);
  return { ...judged, ...delivered };
}

async function conditionsNow({
  config,
  clock,
  watches,
  onWarning,
  expectServe = true,
}: AlertParts): Promise<Conditions> {
  const nowMs = clock.nowMs();
  const clockOffsetMs = await watches.clock.look(config.baseUrl, clock);
  const archive = await storeOf(config, { clock }).archive();
  try {
    const seen = await look(archive, { nowMs, config, expectServe });
    const signals = await archive.signals({
      sinceMs: nowMs - RECENT_MS,
      keys: endingPairs(seen.keyPairs, nowMs).length > 0,
    });
    const unconfirmed = config.baseUrl === null ? [] : await archive.unconfirmed({ firstSeenBeforeMs: nowMs });
    const books = await bookFacts(archive, { config, nowMs, onWarning });
    const found = conditionsOf({ ...seen, signals, unconfirmed, books, clockOffsetMs, expectServe });
    const wanted = new Set(causesOf(config.alerts));
    return { ...found, conditions: found.conditions.filter(({ cause }) => wanted.has(cause)) };
  } finally {
    await archive.close();
  }
}

async function beat({ config, clock, signal, watches, onWarning }: AlertParts): Promise<void> {
  const { heartbeat } = config.alerts;
  if (heartbeat === null) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(BEAT_TIMEOUT_MS)]);
  const error = await watches.heartbeat.beat(heartbeat, { clock, signal: limit });
  if (error !== null) onWarning(`alerts: the heartbeat failed: ${error}`);
}

/** Every minute by the schedule; the same as `tallyhook alerts check`. */
export const alertsBySchedule: Job = async ({ watches = new AlertWatches(), onAlert = () => {}, ...parts }) => {
  const { open, ...counts } = await checkAlerts({ ...parts, watches, onAlert });
  return { outcome: 'done', detail: `${open} open`, counts, left: open };
};
