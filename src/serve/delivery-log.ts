import type { Logger } from 'pino';
import { type PayloadDecoder, readEvent } from '../domain/events/event.ts';
import { traceOf } from '../domain/records/trace.ts';
import type { Likeness } from '../domain/refusals/refused-run.ts';
import { printableLine } from '../domain/text/printable.ts';
import type { UnverifiedReason } from '../receive/refusals.ts';
import { type CarriedDelivery, type KeptAs, keptAs, type ObservedRecord, type Refusal } from '../store/inbox.ts';
import { MINUTE_MS, SECOND_MS } from '../time/clock.ts';

export interface DeliveryLogParts {
  readonly log: Logger;
  readonly decode: PayloadDecoder | undefined;
  /**
   * `info`: for a person at a terminal; a burst is cut to `SHOWN_PER_SECOND` lines and counted. `debug`: for a file; at that level
   * every delivery has its line.
   */
  readonly level: 'info' | 'debug';
}

/** A person reads no more. */
const SHOWN_PER_SECOND = 20;
const NONE_KEPT: Readonly<Record<KeptAs, number>> = { new: 0, duplicate: 0, variant: 0 };

const SIGNATURE_HINT =
  'Save one with `serve --capture-failed DIR`, then run: tallyhook verify FILE --headers FILE. After a key change: tallyhook doctor';
/** Of signatures that no key of ours made, by what else the request shows. */
const MISMATCH_HINTS: Readonly<Partial<Record<Likeness, string>>> = {
  signed:
    'Signed with another key than those here: the key has changed (tallyhook doctor), or a sandbox was started again without --seed, which gives it new keys. To look at one: serve --capture-failed DIR, then tallyhook verify.',
  merchant_only:
    'The merchantSignature is of our key, the body is not: something on the way changes bodies, or a stranger repeats a header that was seen before.',
};
/** Every other refusal is for its signature. */
const HINTS: Readonly<Partial<Record<string, string>>> = {
  unknown_path: 'The webhook URL must end in /webhooks/test or /webhooks/live: correct it at the service.',
  method: 'Webhooks come by POST.',
  body_too_large: 'Larger bodies need a higher receiver.bodyLimitBytes.',
  content_encoding: 'Something on the way compresses request bodies: turn that off.',
  headers_too_large: 'The headers exceed 16 kB: does a proxy add many?',
  request_timeout: 'The request did not arrive within receiver.requestTimeoutMs, its headers within headersTimeoutMs.',
  bodies_limit:
    'Unfinished bodies filled receiver.bodiesLimitBytes: an attack, or a slow network. The sender may try again.',
  not_http: 'Something else than HTTP came. Does the sender use https:// without a proxy that ends TLS?',
  no_keys:
    'No key pair is configured for this path: put it under keys (tallyhook init asks for it), then reload serve (SIGHUP).',
  body_is_public_key: 'A stranger repeats a merchantSignature that was seen before: nothing to do.',
} satisfies Record<UnverifiedReason | 'no_keys' | 'body_is_public_key', string>;

/**
 * The log lines about deliveries. Off, it costs one comparison per delivery; a flood of refusals has the lines that
 * `Refusals` samples, and one line a minute that counts the others.
 */
export class DeliveryLog {
  readonly #log: Logger;
  readonly #decode: PayloadDecoder | undefined;
  readonly #level: 'info' | 'debug';
  readonly #isOn: boolean;
  readonly #unshownKept: Record<KeptAs, number> = { ...NONE_KEPT };
  #second = 0;
  #shownInSecond = 0;
  readonly #unshownRefused = new Map<string, number>();
  #unshownMinute: number | null = null;

  constructor({ log, decode, level }: DeliveryLogParts) {
    this.#log = log;
    this.#decode = decode;
    this.#level = level;
    this.#isOn = log.isLevelEnabled(level);
  }

  kept({ delivery, kept }: CarriedDelivery): void {
    if (!this.#isOn) return;
    const what = keptAs(kept);
    if (!this.#mayShow(delivery.receivedAtMs)) {
      this.#unshownKept[what]++;
      return;
    }
    const { environment, keyId, body } = delivery;
    const { event, kind, reference, quarantine } = readEvent(body, environment, this.#decode);
    const trace = kind === 'unknown' ? undefined : traceOf(environment, kind, reference);
    const facts = {
      ...(trace !== undefined && { trace }),
      environment,
      event: printableLine(event),
      reference: printableLine(reference),
      what,
    };
    this.#log[this.#level](
      { ...facts, id: kept.eventId, key: keyId, ...(quarantine !== null && { quarantine }) },
      'delivery kept',
    );
  }

  /** Of which records contents were observed, at level debug. */
  observed(records: readonly ObservedRecord[]): void {
    if (!this.#log.isLevelEnabled('debug')) return;
    for (const { environment, kind, reference, eventIds } of records) {
      const trace = traceOf(environment, kind, reference);
      this.#log.debug(
        { trace, environment, kind, reference: printableLine(reference), events: eventIds },
        'events observed',
      );
    }
  }

  /** `isShown`: this refusal is one of the few that are shown. */
  refused(refusal: Refusal, { isShown, likeness }: { isShown: boolean; likeness: Likeness }): void {
    const { reason, remoteAddress, userAgent } = refusal;
    if (!isShown) {
      this.#unshownRefused.set(reason, (this.#unshownRefused.get(reason) ?? 0) + 1);
      this.#unshownMinute ??= minuteOf(refusal.atMs);
      return;
    }
    const outside = { remoteAddress: safe(remoteAddress), userAgent: safe(userAgent) };
    const likely = reason === 'payload_signature_mismatch' ? MISMATCH_HINTS[likeness] : undefined;
    this.#log.warn({ ...refusal, ...outside, hint: likely ?? HINTS[reason] ?? SIGNATURE_HINT }, 'delivery refused');
  }

  /** Logs what was only counted: kept deliveries at each call, refusals when their minute is over or `isLast`. */
  summarise(nowMs: number, { isLast = false } = {}): void {
    if (Object.values(this.#unshownKept).some((count) => count > 0)) {
      this.#log[this.#level]({ ...this.#unshownKept }, 'more deliveries kept');
      Object.assign(this.#unshownKept, NONE_KEPT);
    }
    if (this.#unshownMinute === null || (!isLast && minuteOf(nowMs) === this.#unshownMinute)) return;
    this.#log.warn({ reasons: Object.fromEntries(this.#unshownRefused) }, 'more deliveries refused');
    this.#unshownRefused.clear();
    this.#unshownMinute = null;
  }

  #mayShow(atMs: number): boolean {
    if (this.#level === 'debug') return true;
    const second = Math.floor(atMs / SECOND_MS);
    if (second !== this.#second) [this.#second, this.#shownInSecond] = [second, 0];
    return this.#shownInSecond++ < SHOWN_PER_SECOND;
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

function safe(text: string | null): string | null {
  return text === null ? null : printableLine(text);
}
