import type { Environment } from '../domain/environment.ts';
import { isSettled, type RecordKind } from '../domain/records/lifecycle.ts';
import type { Archive } from '../store/archive.ts';
import type { ChannelQuery, ChannelRecord, ChannelSample, FirstReport, Receipt } from '../store/channels.ts';
import { DAY_MS, MINUTE_MS } from '../time/clock.ts';

/*
 * How well webhooks arrive, judged per channel: one kind of record in one environment. Pure; the store gives a bounded
 * sample of the latest records.
 */

/** A channel is silent after this many usual gaps without a webhook (DESIGN 3, 6). */
const SILENCE_FACTOR = 3;
/** A channel is never silent before this, however short its usual gap. */
const LEAST_SILENCE_MS = 15 * MINUTE_MS;
/** Records, and the time they span, below which a channel has no usual gap. */
const LEAST_REPORTS = 10;
const LEAST_SPAN_MS = DAY_MS;
/** Window of the usual gap: four weeks, so that it includes nights and weekends. */
const RHYTHM_MS = 28 * DAY_MS;
/** Settled records below which the sweep share is not judged. */
const LEAST_SETTLED = 20;

export const STANDARD_WINDOW_MS = 7 * DAY_MS;
/** Share of settled records that the sweep settled first; beyond it, webhooks are lost or late. */
export const STANDARD_SWEEP_SHARE = 0.1;

/** Most records read per channel, and most first reports read for the usual gap. */
const RECORDS = 2_000;
const RHYTHM_RECORDS = 5_000;

export const CHANNEL_PROBLEMS = ['silent', 'sweep_share'] as const;
export type ChannelProblem = (typeof CHANNEL_PROBLEMS)[number];

export interface ChannelHealth {
  readonly environment: Environment;
  readonly kind: RecordKind;
  /** Records with any observation, first seen in the window, at most 2,000; `truncated` when there were more. */
  readonly records: number;
  readonly truncated: boolean;
  /** Of these, settled ones, and how many a webhook or the sweep settled first. */
  readonly settled: number;
  readonly byWebhook: number;
  readonly bySweep: number;
  /** Null when nothing is settled. */
  readonly sweepShare: number | null;
  /** Settled by the sweep, and by no webhook so far: the webhook was lost, or is late. */
  readonly repaired: number;
  /** From `updated_at` of the service to our receipt; negative when its clock is ahead of ours. */
  readonly delays: { readonly count: number; readonly p50Ms: number | null; readonly p95Ms: number | null };
  readonly lastReceivedAtMs: number | null;
  /** Average length of the gap between webhooks around a random moment; null with too few records. */
  readonly usualGapMs: number | null;
  /** Since the last receipt; null when there is none. */
  readonly silentForMs: number | null;
  readonly problems: readonly ChannelProblem[];
}

export interface HealthRules {
  readonly nowMs: number;
  readonly sinceMs: number;
  /** From 0 to 1. */
  readonly sweepShare: number;
}

/** The health of every channel, read and judged. */
export async function channelHealth(archive: Pick<Archive, 'channels'>, rules: HealthRules): Promise<ChannelHealth[]> {
  return judgeChannels(await archive.channels(channelQuery(rules)), rules);
}

/** The store query that `judgeChannels` needs. */
export function channelQuery({ nowMs, sinceMs }: Pick<HealthRules, 'nowMs' | 'sinceMs'>): ChannelQuery {
  return { sinceMs, records: RECORDS, rhythmSinceMs: nowMs - RHYTHM_MS, rhythmRecords: RHYTHM_RECORDS };
}

/** One result per channel with any record, in the order of the samples, test before live. */
export function judgeChannels(samples: readonly ChannelSample[], rules: HealthRules): ChannelHealth[] {
  return samples.flatMap(({ kind, truncated, ...sample }) =>
    (['test', 'live'] as const).flatMap((environment) => {
      const isOurs = (one: { readonly environment: Environment }) => one.environment === environment;
      const records = sample.records.filter(isOurs);
      const receipts = sample.receipts.filter(isOurs);
      const reports = sample.firstReports.filter(isOurs);
      if (records.length === 0 && reports.length === 0) return [];
      const settled = settledFirst(kind, records);
      const silence = silenceOf(reports, receipts, rules.nowMs);
      const problems: ChannelProblem[] = [];
      if (isSilent(silence)) problems.push('silent');
      const { sweepShare } = settled;
      if (settled.settled >= LEAST_SETTLED && (sweepShare ?? 0) > rules.sweepShare) problems.push('sweep_share');
      return [
        {
          environment,
          kind,
          records: records.length,
          truncated: truncated[environment],
          ...settled,
          delays: delaysOf(receipts, rules.sinceMs),
          ...silence,
          problems,
        },
      ];
    }),
  );
}

function settledFirst(kind: RecordKind, records: readonly ChannelRecord[]) {
  let [byWebhook, bySweep, repaired] = [0, 0, 0];
  for (const { reported, moves } of records) {
    const first = moves.find(({ to }) => to !== null && isSettled(kind, to));
    if (first === undefined) continue;
    if (first.field === 'reported') byWebhook++;
    else bySweep++;
    if (first.field === 'confirmed' && (reported === null || !isSettled(kind, reported))) repaired++;
  }
  const settled = byWebhook + bySweep;
  return { settled, byWebhook, bySweep, sweepShare: settled === 0 ? null : bySweep / settled, repaired };
}

function delaysOf(receipts: readonly Receipt[], sinceMs: number): ChannelHealth['delays'] {
  const delays = receipts.flatMap(({ time, receivedAtMs }) =>
    time === null || receivedAtMs < sinceMs ? [] : [receivedAtMs - Date.parse(time)],
  );
  const sorted = Float64Array.from(delays).sort();
  return { count: delays.length, p50Ms: percentile(sorted, 0.5), p95Ms: percentile(sorted, 0.95) };
}

/** The value at the nearest rank; null without values. */
export function percentile(sorted: ArrayLike<number>, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

interface Silence {
  readonly lastReceivedAtMs: number | null;
  readonly usualGapMs: number | null;
  readonly silentForMs: number | null;
}

function silenceOf(reports: readonly FirstReport[], receipts: readonly Receipt[], nowMs: number): Silence {
  const times = reports.map(({ atMs }) => atMs);
  const all = [...times, ...receipts.map(({ lastReceivedAtMs }) => lastReceivedAtMs)];
  const lastReceivedAtMs = all.length === 0 ? null : all.reduce((latest, each) => Math.max(latest, each));
  const silentForMs = lastReceivedAtMs === null ? null : Math.max(0, nowMs - lastReceivedAtMs);
  return { lastReceivedAtMs, usualGapMs: usualGap(times), silentForMs };
}

function isSilent({ usualGapMs, silentForMs }: Silence): boolean {
  if (usualGapMs === null || silentForMs === null) return false;
  return silentForMs > Math.max(SILENCE_FACTOR * usualGapMs, LEAST_SILENCE_MS);
}

/**
 * The average length of the gap around a random moment, in milliseconds; null with too few times. Not the average of all
 * gaps: webhooks come in bursts, with nights and weekends between them, and the many short gaps within one burst would
 * hide the quiet ones.
 */
export function usualGap(timesMs: readonly number[]): number | null {
  const sorted = Float64Array.from(timesMs).sort();
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  if (sorted.length < LEAST_REPORTS || span < LEAST_SPAN_MS) return null;
  let squares = 0;
  for (let index = 1; index < sorted.length; index++) {
    squares += ((sorted[index] ?? 0) - (sorted[index - 1] ?? 0)) ** 2;
  }
  return Math.round(squares / span);
}
