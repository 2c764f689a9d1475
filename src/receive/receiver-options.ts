import type { FastifyRequest } from 'fastify';
import type { PayloadDecoder } from '../domain/events/event.ts';
import { namesOf, requireArgument, requireKnown, requireObject } from '../domain/misuse.ts';
import type { Delivery, Refusal, RefusalOrigin } from '../store/inbox.ts';
import type { Clock } from '../time/clock.ts';
import { KeyRings } from './key-rings.ts';

export interface ReceiverOptions {
  readonly keyRings: KeyRings;
  /** Resolves once the delivery is on disk; rejects with a TallyhookError of kind `unavailable` when a retry may succeed. */
  readonly keep: (delivery: Delivery) => Promise<void>;
  readonly clock: Clock;
  /** Larger bodies are answered 413. */
  readonly bodyLimitBytes: number;
  /**
   * Memory of all unfinished bodies together, in bytes; beyond it the largest are answered 503. Default: 16 MiB, and no
   * less than `bodyLimitBytes`.
   */
  readonly bodiesLimitBytes?: number;
  /** Refuses every event without a merchantSignature, not only refunds and payouts (decisions 1). */
  readonly strict: boolean;
  /** Decrypts bodies after their signature was verified (decision 86). Default: bodies are plain. */
  readonly decode?: PayloadDecoder;
  /**
   * Called for every 401, 405, 413 and 415, and for a 503 because of `bodiesLimitBytes`. `path` is the webhook path, without the
   * prefix of the application.
   */
  readonly onRefused: (refusal: Refusal, request: FastifyRequest, origin: RefusalOrigin) => void;
  /** Called for every 200, with the time since the last byte of the body. */
  readonly onKept?: (tookMs: number, delivery: Delivery) => void;
  /** Called for every 500, and for every 503 because of the store. */
  readonly onFailed?: (error: unknown, request: FastifyRequest) => void;
}

const KNOWN = namesOf<ReceiverOptions>({
  keyRings: true,
  keep: true,
  clock: true,
  bodyLimitBytes: true,
  bodiesLimitBytes: true,
  strict: true,
  decode: true,
  onRefused: true,
  onKept: true,
  onFailed: true,
});
/** Options of Fastify's `register` itself. */
const OF_REGISTER = ['prefix', 'logLevel', 'logSerializers'];
const NEEDED_FUNCTIONS = ['keep', 'onRefused'] as const;
const OTHER_FUNCTIONS = ['decode', 'onKept', 'onFailed'] as const;

/**
 * Refuses options that the types forbid, so that a mistake shows at the start and not at the first delivery. Fastify gives an
 * empty object where there are none.
 *
 * @throws TallyhookError of kind `usage`
 */
export function requireReceiverOptions(options: ReceiverOptions): void {
  requireObject('The options of the receiver', options, 'app.register(receiver, { keyRings, keep, clock, … })');
  requireKnown(options, [...KNOWN, ...OF_REGISTER]);
  const { keyRings, clock, strict } = options;
  requireArgument('keyRings', keyRings, keyRings instanceof KeyRings, 'new KeyRings([…])');
  for (const name of NEEDED_FUNCTIONS) requireFunction(name, options[name]);
  for (const name of OTHER_FUNCTIONS) if (options[name] !== undefined) requireFunction(name, options[name]);
  requireArgument('clock', clock, typeof clock?.nowMs === 'function', 'a clock: systemClock');
  requireBytes('bodyLimitBytes', options.bodyLimitBytes);
  if (options.bodiesLimitBytes !== undefined) requireBytes('bodiesLimitBytes', options.bodiesLimitBytes);
  requireArgument('strict', strict, typeof strict === 'boolean', 'true or false');
}

function requireFunction(name: string, value: unknown): void {
  requireArgument(name, value, typeof value === 'function', 'a function');
}

function requireBytes(name: string, value: number): void {
  requireArgument(name, value, Number.isSafeInteger(value) && value > 0, 'a whole number of bytes from 1');
}
