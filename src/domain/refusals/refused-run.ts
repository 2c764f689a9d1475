import { DAY_MS } from '../../time/clock.ts';
import type { Environment } from '../environment.ts';

/*
 * Refused requests that may be the service's own. Strangers send requests too, so a refusal alone means
 * nothing; a run of requests with signatures, without a single delivery in between, means that a key has changed.
 */

/** How much a refused request looks like a delivery of the service, the surest first. */
export const LIKENESSES = [
  'ours', // its payloadSignature is made with our keys: the service signed this body
  'not_kept', // it is authentic, and we could not keep it: answered 503 or 500
  'merchant_only', // it carries our merchantSignature, which is the same in every delivery: anyone who saw one can repeat it
  'signed', // it carries signatures of the right form, which anyone can write
  'other', // it carries none, or is certainly an attack
] as const;
export type Likeness = (typeof LIKENESSES)[number];
/** The likenesses that are counted in runs. */
export type SuspectLikeness = Exclude<Likeness, 'other'>;

/** Refusals of one likeness in one environment, one after the other. */
export interface RefusedRun {
  readonly environment: Environment;
  readonly likeness: SuspectLikeness;
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** Of the latest. */
  readonly reason: string;
  /** Of the latest, as requested. */
  readonly path: string;
}

/** Refusals in a row, other than `ours`, below which nothing is judged: one may be a probe or a mistake. */
const LEAST_SUSPECT = 3;
/** A delivery is missed after this many usual gaps without one, as in the health of a channel. */
const MISSED_GAPS = 3;
/** Nothing is concluded from refusals that ended this long ago. */
const SUSPECT_STAYS_MS = 7 * DAY_MS;
const OURS_STAYS_MS = DAY_MS;

/** `known` continued by `news`, or `news` alone when a delivery or a long pause ended the known run. */
export function continuedRun(known: RefusedRun | null, news: RefusedRun, keptAtMs: number | null): RefusedRun {
  if (known === null || hasEnded(known, keptAtMs, news.firstAtMs)) return news;
  return {
    ...news,
    count: known.count + news.count,
    firstAtMs: known.firstAtMs,
    lastAtMs: Math.max(known.lastAtMs, news.lastAtMs),
  };
}

/** Whether a run is over: by a kept delivery (which proves nothing about refusals of our own keys), or by its age. */
export function hasEnded({ likeness, lastAtMs }: RefusedRun, keptAtMs: number | null, nowMs: number): boolean {
  if (likeness === 'ours') return nowMs - lastAtMs > OURS_STAYS_MS;
  return (keptAtMs !== null && keptAtMs >= lastAtMs) || nowMs - lastAtMs > SUSPECT_STAYS_MS;
}

/** The deliveries of one environment that were kept. */
export interface KeptLately {
  /** The latest; null: none ever. */
  readonly keptAtMs: number | null;
  readonly usualGapMs: number;
}

/**
 * Whether a run says that genuine deliveries are refused. A stranger may send any number of requests whose body we did not
 * sign, so these count only while the deliveries are missed: none came for three usual gaps. Those of ours that were not kept count until
 * one is kept: it is not known whether the sender tries them again.
 */
export function isAlarming(run: RefusedRun, { keptAtMs, usualGapMs }: KeptLately, nowMs: number): boolean {
  if (hasEnded(run, keptAtMs, nowMs)) return false;
  if (run.likeness === 'ours' || run.likeness === 'not_kept') return true;
  if (run.count < LEAST_SUSPECT) return false;
  return keptAtMs === null || nowMs - keptAtMs > MISSED_GAPS * usualGapMs;
}
