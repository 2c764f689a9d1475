import type { Refusal, RefusalCount, RefusalOrigin } from '../store/inbox.ts';
import { MINUTE_MS } from '../time/clock.ts';
import { isWebhookPath } from './key-rings.ts';
import { SIGNATURE_FAILURES, type SignatureFailure } from './signature.ts';

/** Why a request is refused before its signature is looked at, with the status that it is answered. */
const UNVERIFIED = {
  not_http: 400,
  unknown_path: 404,
  method: 405,
  request_timeout: 408,
  body_too_large: 413,
  content_encoding: 415,
  headers_too_large: 431,
  bodies_limit: 503,
} as const;
export type UnverifiedReason = keyof typeof UNVERIFIED;

export type RefusalReason = SignatureFailure | UnverifiedReason;
/** Every reason for which a request is refused. */
export const REFUSAL_REASONS: readonly RefusalReason[] = [
  ...SIGNATURE_FAILURES,
  ...(Object.keys(UNVERIFIED) as UnverifiedReason[]),
];

/** Returns the status of the answer: 401 for every failure of the signature. */
export function refusalStatus(reason: RefusalReason): 401 | (typeof UNVERIFIED)[UnverifiedReason] {
  return Object.hasOwn(UNVERIFIED, reason) ? UNVERIFIED[reason as UnverifiedReason] : 401;
}

/** Where refusals are counted whose path is none of ours, or unknown: the paths that strangers can ask for have no bound. */
export const UNKNOWN_PATH = '(unknown)';

/** Most samples and log lines per minute; further refusals are only counted (RELIABILITY T10). */
const SHOWN_PER_MINUTE = 10;

export interface RefusalSink {
  countRefusals(counts: readonly RefusalCount[], samples: readonly Refusal[]): void;
}

/**
 * Counts requests that were refused, or authentic and not kept. A flood of any size costs a bounded map
 * and 10 samples a minute; `flush` writes them, not the request. Valid deliveries are never limited, because they are verified first.
 */
export class Refusals {
  readonly #counts = new Map<string, RefusalCount>();
  readonly #totals = new Map<string, number>();
  #samples: Refusal[] = [];
  #minute = 0;
  #shownInMinute = 0;

  /** Returns whether to log this refusal. */
  add(refusal: Refusal, origin: RefusalOrigin): boolean {
    const { reason, atMs } = refusal;
    const path = isWebhookPath(refusal.path) ? refusal.path : UNKNOWN_PATH;
    const key = `${path} ${reason} ${origin.likeness} ${origin.environments}`;
    const known = this.#counts.get(key);
    this.#counts.set(key, {
      path,
      reason,
      ...origin,
      count: (known?.count ?? 0) + 1,
      firstAtMs: known?.firstAtMs ?? atMs,
      lastAtMs: atMs,
      lastPath: refusal.path,
    });
    this.#totals.set(reason, (this.#totals.get(reason) ?? 0) + 1);
    if (!this.#mayShow(atMs)) return false;
    this.#samples.push(refusal);
    return true;
  }

  /** Returns the counts since the start by reason, for metrics. */
  totals(): ReadonlyMap<string, number> {
    return this.#totals;
  }

  flush(sink: RefusalSink): void {
    if (this.#counts.size === 0) return;
    sink.countRefusals([...this.#counts.values()], this.#samples);
    this.#counts.clear();
    this.#samples = [];
  }

  #mayShow(atMs: number): boolean {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== this.#minute) [this.#minute, this.#shownInMinute] = [minute, 0];
    return this.#shownInMinute++ < SHOWN_PER_MINUTE;
  }
}
