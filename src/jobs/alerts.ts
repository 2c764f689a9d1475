import { channelSenders } from '../alert/channels.ts';
import { deliverNotices } from '../alert/deliver.ts';
import type { AlertMessage } from '../alert/message.ts';
import { causesOf, nameOf, termsOf } from '../alert/terms.ts';
import { clusterView } from '../confirm/cluster-problems.ts';
import { look } from '../confirm/look.ts';
import type { ServeReport } from '../confirm/serve-report.ts';
import type { AlertCause, AlertChannel } from '../domain/alerts/alert-cause.ts';
import type { Alert, Alerts, JudgedCounts } from '../store/alerts.ts';
import { storeOf } from '../store/configured-store.ts';
import { StoreError } from '../store/error.ts';
import { type Clock, DAY_MS } from '../time/clock.ts';
import { AlertWatches } from './alert-watches.ts';
import { bookFacts } from './book-facts.ts';
import { type Conditions, conditionsOf } from './conditions.ts';
import type { Job, JobParts } from './job.ts';
import { ofReport } from './problem-conditions.ts';
import { endingPairs } from './signal-conditions.ts';

export interface AlertParts extends Pick<JobParts, 'config' | 'clock' | 'signal' | 'onWarning'> {
  readonly operations: Pick<JobParts['operations'], 'alerts'>;
  /** The store takes no write, as its caller has just seen: it is not asked again. */
  readonly unwritable?: StoreError;
  /** What `serve` reports now; null when none answered. */
  readonly serve: ServeReport | null;
  readonly watches: AlertWatches;
  /** Writes a notice to the log of this process. */
  readonly onAlert: (message: AlertMessage) => void;
  /** False for an installation that has given up `serve`. */
  readonly expectServe?: boolean;
}

export interface CheckedAlerts extends JudgedCounts {
  readonly sent: number;
  readonly failed: number;
  /** Why nothing could be written, so that the notices left from memory; null: all of it is kept. */
  readonly unwritten: StoreError | null;
}

/** Quarantined events and used keys are looked at this far back. */
const RECENT_MS = DAY_MS;
/** One per cause and subject, for ever. */
const MOST_ALERTS = 10_000;
/** A beat that takes longer has failed. */
const BEAT_TIMEOUT_MS = 10_000;

/** What must not be sent beside a beat, which says that all is well: nothing receives, or what arrives is not kept. */
const NO_BEAT: readonly AlertCause[] = ['serve_not_running', 'not_kept'];

/**
 * Judges all facts, tells what changed, and then fetches the heartbeat URL, only while `serve` runs and the database can be written.
 * Notices that could not be sent earlier go out too. While the store takes no write, it judges and tells from memory.
 */
export async function checkAlerts(parts: AlertParts): Promise<CheckedAlerts> {
  const { config, clock, signal, onWarning, watches } = parts;
  const found = await conditionsNow(parts);
  const judged = await judge(parts, found);
  const senders = channelSenders(config.alerts, parts.onAlert);
  const context = { nowMs: clock.nowMs(), zone: config.timeZone, name: nameOf(config.alerts) };
  const onFailed = (channel: AlertChannel, error: string) =>
    onWarning(`alerts: ${channel} did not take a notice: ${error}; it is tried again`);
  const deliver = (alerts: Pick<Alerts, 'leaseNotices' | 'finishNotice'>) =>
    deliverNotices({ alerts, senders, context, signal, onFailed });
  // Also those that no channel took while the store took no write.
  const counts = [await deliver(watches.memory)];
  let { unwritten } = judged;
  if (unwritten === null) {
    try {
      counts.push(await deliver(parts.operations.alerts));
    } catch (error) {
      unwritten = unwrittenBy(error);
      await judgeUntold(parts, found, judged);
      counts.push(await deliver(watches.memory));
    }
  }
  if (unwritten === null && found.conditions.every(({ cause, over }) => over || !NO_BEAT.includes(cause)))
    await beat(parts);
  const sum = (of: 'sent' | 'failed') => counts.reduce((total, each) => total + each[of], 0);
  return { ...judged, sent: sum('sent'), failed: sum('failed'), unwritten };
}

/** Judges in the store, or in memory while that takes no write. */
async function judge(
  { config, operations, clock, watches: { memory }, unwritable }: AlertParts,
  found: Conditions,
): Promise<JudgedCounts & { readonly unwritten: StoreError | null }> {
  const judgement = { ...found, terms: termsOf(config.alerts) };
  try {
    if (unwritable !== undefined) throw unwritable;
    const judged = await operations.alerts.judge({ ...judgement, told: memory.told() });
    memory.handedOver();
    return { ...judged, unwritten: null };
  } catch (error) {
    const unwritten = unwrittenBy(error);
    memory.begin(await knownAlerts(config, clock));
    return { ...(await memory.judge(judgement)), unwritten };
  }
}

/** The error for which the store took no write. @throws any other */
function unwrittenBy(error: unknown): StoreError {
  if (!(error instanceof StoreError) || error.fault === 'closing') throw error;
  return error;
}

/**
 * Judges again in memory what the store has just judged, as if it had told nothing by that: a disk may have had room for the judgement, and
 * has none for the leases of its notices.
 */
async function judgeUntold(
  { config, clock, watches: { memory } }: AlertParts,
  found: Conditions,
  { opened, again }: JudgedCounts,
): Promise<void> {
  if (opened + again === 0) return;
  const known = await knownAlerts(config, clock);
  const latestMs = Math.max(...known.map(({ noticedAtMs }) => noticedAtMs ?? 0));
  memory.begin(
    known.map((alert) =>
      alert.noticedAtMs === latestMs ? { ...alert, noticedAtMs: null, noticedReasons: {} } : alert,
    ),
  );
  await memory.judge({ ...found, terms: termsOf(config.alerts) });
}

/** Every alert of the store; none when it cannot be read either. */
async function knownAlerts(config: AlertParts['config'], clock: Clock): Promise<Alert[]> {
  try {
    const archive = await storeOf(config, { clock }).archive();
    const all = { closed: true } as const;
    return await archive.alerts(all, { limit: MOST_ALERTS, order: 'newest' }).finally(() => archive.close());
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}

async function conditionsNow(parts: AlertParts): Promise<Conditions> {
  const { serve, clock, config } = parts;
  const wanted = new Set(causesOf(config.alerts));
  const found = await readConditions(parts).catch((error): Conditions => {
    if (!(error instanceof StoreError) || serve === null) throw error;
    // The database cannot be read: what `serve` reports is all there is.
    return { conditions: ofReport(serve, clock.nowMs()), scope: ['not_kept'], marks: {} };
  });
  return { ...found, conditions: found.conditions.filter(({ cause }) => wanted.has(cause)) };
}

async function readConditions({
  config,
  clock,
  watches,
  onWarning,
  serve,
  expectServe = true,
}: AlertParts): Promise<Conditions> {
  const nowMs = clock.nowMs();
  const clockOffsetMs = await watches.clock.look(config.baseUrl, clock);
  const store = storeOf(config, { clock });
  const cluster = await clusterView(store.cluster);
  const archive = await store.archive();
  try {
    const seen = await look(archive, { nowMs, config, expectServe, serve, cluster });
    const signals = await archive.signals({
      sinceMs: nowMs - RECENT_MS,
      keys: endingPairs(seen.keyPairs, nowMs).length > 0,
    });
    const unconfirmed = config.baseUrl === null ? [] : await archive.unconfirmed({ firstSeenBeforeMs: nowMs });
    const books = await bookFacts(archive, { config, nowMs, onWarning });
    return conditionsOf({ ...seen, signals, unconfirmed, books, clockOffsetMs, expectServe });
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
export const alertsBySchedule: Job = async ({ watches, serve = () => null, onAlert = () => {}, ...parts }) => {
  const own = { ...parts, watches: watches ?? new AlertWatches(parts.clock), serve: serve(), onAlert };
  const { open, unwritten, ...counts } = await checkAlerts(own);
  const detail = unwritten === null ? `${open} open` : `${open} open, told from memory: ${unwritten.message}`;
  return { outcome: 'done', detail, counts, left: open };
};
