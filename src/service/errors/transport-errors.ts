import { ANSWER_FAULTS } from '../../domain/checks/answer-fault.ts';
import { quoted, type RefusalFacts, RefusedError, type RequestLine, refusedAs, ServiceError } from './service-error.ts';

export const UNREACHABLE_REASONS = ['refused', 'name', 'tls', 'connect'] as const;
/** Why no connection was made: refused, unknown host name, TLS, or the network. */
export type UnreachableReason = (typeof UNREACHABLE_REASONS)[number];

/** The request never left this machine, so the service did nothing. */
export class ServiceUnreachableError extends ServiceError {
  override readonly name = 'ServiceUnreachableError';
  readonly reason: UnreachableReason;
  /** The system's code, such as ECONNREFUSED. */
  readonly code: string;

  constructor(requestLine: RequestLine, reason: UnreachableReason, code: string) {
    const hint = 'Nothing was sent. Check baseUrl, the network and the service, then try again.';
    super(`the service cannot be reached (${code}).`, { requestLine, httpStatus: null, kind: 'unavailable', hint });
    this.reason = reason;
    this.code = code;
  }
}

export const NO_ANSWER_REASONS = ['timeout', 'idle', 'reset', 'cut', 'protocol', 'aborted'] as const;
/**
 * `timeoutMs` or `idleTimeoutMs` ran out; the connection broke before the response (`reset`) or within it (`cut`); the
 * response was no valid HTTP; the client's signal was aborted.
 */
export type NoAnswerReason = (typeof NO_ANSWER_REASONS)[number];

/** The request was sent and no complete response came: the outcome of a POST is unknown. */
export class NoAnswerError extends ServiceError {
  override readonly name = 'NoAnswerError';
  readonly reason: NoAnswerReason;
  readonly code: string;

  constructor(requestLine: RequestLine, reason: NoAnswerReason, code: string) {
    super(`no complete answer (${reason}, ${code}).`, {
      requestLine,
      httpStatus: null,
      kind: 'unavailable',
      hint: 'A status check may be repeated. Larger limits: timeoutMs, idleTimeoutMs.',
    });
    this.reason = reason;
    this.code = code;
  }
}

/** The service responded with a redirect. It is never followed, because that would send keys to another address. */
export class RedirectRefusedError extends ServiceError {
  override readonly name = 'RedirectRefusedError';

  constructor(requestLine: RequestLine) {
    const hint = 'Set baseUrl to the final address, which does not redirect.';
    super('answered with a redirect, which is not followed.', { requestLine, httpStatus: null, kind: 'failed', hint });
  }
}

/** HTTP 5xx or 408: the service failed, and the outcome of a POST is unknown. */
export class ServiceFailedError extends ServiceError {
  override readonly name = 'ServiceFailedError';

  constructor(requestLine: RequestLine, httpStatus: number, message: string) {
    const hint = 'Try again later.';
    super(`the service failed: ${quoted(message)}.`, { requestLine, httpStatus, kind: 'unavailable', hint });
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
  /** From Retry-After; null when the service sent none. */
  readonly retryAfterMs: number | null;

  constructor(facts: RefusalFacts, retryAfterMs: number | null) {
    const wait = retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    super(facts, { kind: 'unavailable', text: () => 'too many requests.', hint: `Try again ${wait}.` });
    this.retryAfterMs = retryAfterMs;
  }
}

/** Why a response cannot be used; the last ones are those of `ANSWER_FAULTS`: it is not about the record asked for, or contradicts itself or the request. */
export const UNREADABLE_REASONS = [
  'not_json',
  'html',
  'empty',
  'too_large',
  'content_encoding',
  'shape',
  'undecryptable',
  ...ANSWER_FAULTS,
] as const;
export type UnreadableReason = (typeof UNREADABLE_REASONS)[number];

/** Reasons of a response that was read, and whose content is wrong. */
const READ_REASONS: readonly UnreadableReason[] = ANSWER_FAULTS;

/**
 * A response came that cannot be used. The body may contain secrets of the request, so the error quotes nothing of it but a
 * currency, and the reference of an envelope without what looks like a secret.
 */
export class UnreadableAnswerError extends ServiceError {
  override readonly name = 'UnreadableAnswerError';
  readonly reason: UnreadableReason;
  /** What is wrong with it, as a clause. */
  readonly detail: string;

  constructor(requestLine: RequestLine, httpStatus: number, reason: UnreadableReason, detail: string) {
    const fault = READ_REASONS.includes(reason) ? 'used' : 'read';
    super(`the answer cannot be ${fault}: ${detail} (${reason}).`, {
      requestLine,
      httpStatus,
      kind: 'failed',
      hint: 'Check that baseUrl is the address of the service and that no proxy responds in its place.',
    });
    this.reason = reason;
    this.detail = detail;
  }
}
