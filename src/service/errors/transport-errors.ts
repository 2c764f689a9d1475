import { type Asked, quoted, type RefusalFacts, RefusedError, refusedAs, ServiceError } from './service-error.ts';

export const UNREACHABLE_REASONS = ['refused', 'name', 'tls', 'connect'] as const;
/** Why no connection came about: refused, unknown host name, TLS, or the network. */
export type UnreachableReason = (typeof UNREACHABLE_REASONS)[number];

/** The request never left this machine, so nothing was done there. */
export class ServiceUnreachableError extends ServiceError {
  override readonly name = 'ServiceUnreachableError';
  readonly reason: UnreachableReason;
  /** The system's code, such as ECONNREFUSED. */
  readonly code: string;

  constructor(asked: Asked, reason: UnreachableReason, code: string) {
    const hint = 'Nothing was sent. Check baseUrl, the network and the service, then do it again.';
    super(`the service cannot be reached (${code}).`, { asked, httpStatus: null, kind: 'unavailable', hint });
    this.reason = reason;
    this.code = code;
  }
}

export const NO_ANSWER_REASONS = ['timeout', 'idle', 'reset', 'cut', 'protocol', 'aborted'] as const;
/**
 * The total time ran out; it fell silent; the connection broke before or within the answer; it spoke no valid HTTP; the
 * client's signal was aborted.
 */
export type NoAnswerReason = (typeof NO_ANSWER_REASONS)[number];

/** The request was sent and no complete answer came: for a POST nobody knows what happened. */
export class NoAnswerError extends ServiceError {
  override readonly name = 'NoAnswerError';
  readonly reason: NoAnswerReason;
  readonly code: string;

  constructor(asked: Asked, reason: NoAnswerReason, code: string) {
    super(`no complete answer (${reason}, ${code}).`, {
      asked,
      httpStatus: null,
      kind: 'unavailable',
      hint: 'A question may be asked again. Larger limits: timeoutMs, idleTimeoutMs.',
    });
    this.reason = reason;
    this.code = code;
  }
}

/** The service answered with a redirect, which would carry keys elsewhere; it is never followed. */
export class RedirectRefusedError extends ServiceError {
  override readonly name = 'RedirectRefusedError';

  constructor(asked: Asked) {
    const hint = 'Set baseUrl to the address that answers itself.';
    super('answered with a redirect, which is not followed.', { asked, httpStatus: null, kind: 'failed', hint });
  }
}

/** HTTP 5xx (and 408): the service failed; for a POST nobody knows what was done before. */
export class ServiceFailedError extends ServiceError {
  override readonly name = 'ServiceFailedError';

  constructor(asked: Asked, httpStatus: number, said: string) {
    super(`the service failed: ${quoted(said)}.`, { asked, httpStatus, kind: 'unavailable', hint: 'Ask again later.' });
  }
}

/** HTTP 401 or 403: a wrong key, or one of the wrong kind (decision 84). Never retried. */
export class AuthenticationError extends refusedAs('AuthenticationError', {
  kind: 'unauthorized',
  text: ({ message }) => `the key was refused: ${quoted(message)}.`,
  hint: 'Use the current secret key of the right environment (sk_test_… or sk_live_…); see: tallyhook doctor',
}) {}

/** HTTP 429 (decision 85). Nothing was done. */
export class RateLimitedError extends RefusedError {
  override readonly name = 'RateLimitedError';
  /** From Retry-After; null when the service names no time. */
  readonly retryAfterMs: number | null;

  constructor(facts: RefusalFacts, retryAfterMs: number | null) {
    const wait = retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    super(facts, { kind: 'unavailable', text: () => 'too many requests.', hint: `Do it again ${wait}.` });
    this.retryAfterMs = retryAfterMs;
  }
}

export const UNREADABLE_REASONS = [
  'not_json',
  'html',
  'empty',
  'too_large',
  'content_encoding',
  'shape',
  'undecryptable',
  'contradiction',
] as const;
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number];

/** An answer came that cannot be used. It never quotes the body, which may repeat what must stay secret. */
export class UnreadableAnswerError extends ServiceError {
  override readonly name = 'UnreadableAnswerError';
  readonly reason: UnreadableReason;

  constructor(asked: Asked, httpStatus: number, reason: UnreadableReason, detail: string) {
    super(`the answer cannot be read: ${detail} (${reason}).`, {
      asked,
      httpStatus,
      kind: 'failed',
      hint: 'Is baseUrl the address of the service, with nothing in between that answers for it?',
    });
    this.reason = reason;
  }
}
