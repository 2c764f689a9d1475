import { HOUR_MS, MINUTE_MS } from '../../time/clock.ts';
import type { Environment } from '../environment.ts';
import type { Likeness } from './refused-run.ts';

/** Refused requests of one likeness, reason and path, without a long pause between them. */
export interface RefusedSpan {
  readonly likeness: Likeness;
  readonly reason: string;
  /** A webhook path, or `(unknown)`; null of authentic deliveries that were not kept: they fail alike on every path. */
  readonly path: string | null;
  /** Those that they may be deliveries of. */
  readonly environments: readonly Environment[];
  readonly count: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** The path of the latest, as requested. */
  readonly lastPath: string;
}

/** A pause that ends a span: a sender tries again within minutes. */
const PAUSE_MS = 10 * MINUTE_MS;
/** A span of strangers' requests ends after an hour, so that a steady trickle of them still says when it was how much. */
const LONGEST_MS = HOUR_MS;

/** The path by which refusals are gathered: a full disk is one row, whichever paths the deliveries came to. */
export function spanPath({ likeness, path }: { readonly likeness: Likeness; readonly path: string }): string | null {
  return likeness === 'not_kept' ? null : path;
}

/** `known`, the latest span of the same kind, continued by `news`; null when `news` begins a span of its own. */
export function continuedSpan(known: RefusedSpan, news: RefusedSpan): RefusedSpan | null {
  const isLong = news.likeness !== 'not_kept' && news.lastAtMs - known.firstAtMs > LONGEST_MS;
  if (isLong || news.firstAtMs - known.lastAtMs > PAUSE_MS) return null;
  return {
    ...news,
    environments: [...new Set([...known.environments, ...news.environments])].sort(),
    count: known.count + news.count,
    firstAtMs: Math.min(known.firstAtMs, news.firstAtMs),
    lastAtMs: Math.max(known.lastAtMs, news.lastAtMs),
  };
}
