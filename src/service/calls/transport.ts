/*
 * One call to the service, and its retry policy.
 *
 * Repeated, up to `retries` times: a GET, and a POST with an idempotency key (`repeat: 'safe'`), after 408, 429, 500, 502,
 * 503, 504, a timeout or a network fault; after Retry-After, else `retryDelayMs`, doubled each time, with full jitter.
 * Sent once: every other POST (`repeat: 'never'`). Never repeated: other statuses, redirects, unusable bodies, a Retry-After
 * above `maxRetryAfterMs`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Secret } from '../../domain/secret.ts';
import type { RequestLine, ServiceError } from '../errors/service-error.ts';
import {
  NoAnswerError,
  RedirectRefusedError,
  ServiceUnreachableError,
  UnreadableAnswerError,
} from '../errors/transport-errors.ts';
import { type CallLimits, LONGEST_TIMER_MS } from '../options.ts';
import { boundedFetch, ResponseError, type ResponseFault, type WholeResponse } from './bounded-fetch.ts';
import { networkFault } from './network-fault.ts';

/** One request to the service, as it is sent. */
export interface Call extends RequestLine {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text, written by the client itself so that amounts keep their digits. */
  readonly body?: string;
  readonly repeat: 'safe' | 'never';
}

/** A complete response with any HTTP status; its body is not parsed yet. */
export interface Exchange {
  readonly httpStatus: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly retryAfterMs: number | null;
  /** An earlier attempt of this call was sent and got no response, or 408 or 5xx: it may have had its effect. */
  readonly earlierUnanswered: boolean;
}

export interface Transport {
  /**
   * Sends a request, by the retry policy above, and returns the last response, of any HTTP status.
   *
   * @throws ServiceUnreachableError when nothing was sent; NoAnswerError, RedirectRefusedError or UnreadableAnswerError
   * (too_large, content_encoding) when something was
   */
  exchange(call: Call): Promise<Exchange>;
}

export interface TransportOptions extends CallLimits {
  readonly baseUrl: string;
  /** Null for inline checkout, which uses a public key only. */
  readonly secretKey: Secret | null;
  readonly random: () => number;
  readonly nowMs: () => number;
  /** Aborting it ends every attempt and every wait. */
  readonly signal?: AbortSignal | null;
}

const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];
const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tallyhook' };

/** How one attempt ended. */
type Attempt = { readonly response: WholeResponse } | { readonly fault: unknown };

/** Returns the transport over `fetch`. The secret key is added to each request just before it is sent and stored nowhere else. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, secretKey, random, nowMs, retryDelayMs, maxRetryAfterMs, signal = null } = options;
  const fetchWhole = boundedFetch(options);
  const retryAfterOf = ({ headers }: WholeResponse) => retryAfterMs(headers.get('retry-after'), nowMs());

  async function attempt({ method, path, query = '', headers, body }: Call): Promise<Attempt> {
    const request: RequestInit = {
      method,
      redirect: 'error', // following one would send the key to another address (RELIABILITY P25)
      headers: {
        ...HEADERS,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(secretKey !== null && { authorization: `Bearer ${secretKey.reveal()}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    };
    try {
      return { response: await fetchWhole(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, request, signal) };
    } catch (fault) {
      return { fault };
    }
  }

  function isRetryable(ended: Attempt): boolean {
    if ('response' in ended) {
      // A retry before Retry-After would add load; a wait above the limit is the caller's decision.
      return RETRIED_STATUSES.includes(ended.response.status) && (retryAfterOf(ended.response) ?? 0) <= maxRetryAfterMs;
    }
    const { fault } = ended;
    if (fault instanceof ResponseError) return fault.fault === 'timed_out' || fault.fault === 'stalled';
    return fault instanceof TypeError && !isRedirect(fault); // the error of fetch for a network fault
  }

  /** Waits before the next attempt; false when the signal was aborted. */
  async function backOff(ended: Attempt, attempts: number): Promise<boolean> {
    const afterMs = 'response' in ended ? retryAfterOf(ended.response) : null;
    const waitMs = afterMs ?? retryDelayMs * 2 ** (attempts - 1) * random();
    return delay(Math.min(waitMs, LONGEST_TIMER_MS), true, signal === null ? {} : { signal }).catch(() => false);
  }

  async function send(call: Call): Promise<{ response: WholeResponse; earlierUnanswered: boolean }> {
    const { method, path, repeat } = call;
    const mostAttempts = repeat === 'safe' ? options.retries + 1 : 1;
    // An aborted request may have been sent and had its effect.
    const aborted = () => new NoAnswerError({ method, path }, 'aborted', 'by the caller');
    let earlierUnanswered = false;
    for (let attempts = 1; ; attempts++) {
      const ended = await attempt(call);
      if (attempts < mostAttempts && isRetryable(ended)) {
        earlierUnanswered ||= mayHaveActed(ended);
        if (!(await backOff(ended, attempts))) throw aborted();
      } else if ('response' in ended) {
        return { response: ended.response, earlierUnanswered };
      } else {
        throw signal?.aborted ? aborted() : typedFault(call, ended.fault, earlierUnanswered);
      }
    }
  }

  return {
    async exchange(call) {
      const { response, earlierUnanswered } = await send(call);
      return {
        httpStatus: response.status,
        contentType: response.headers.get('content-type') ?? '',
        body: response.content,
        retryAfterMs: retryAfterOf(response),
        earlierUnanswered,
      };
    },
  };
}

const RESPONSE_ERRORS: Record<ResponseFault, (requestLine: RequestLine) => ServiceError> = {
  timed_out: (requestLine) => new NoAnswerError(requestLine, 'timeout', 'total time'),
  stalled: (requestLine) => new NoAnswerError(requestLine, 'idle', 'idle time'),
  no_status: (requestLine) => new NoAnswerError(requestLine, 'protocol', 'no HTTP status'),
  too_large: (requestLine) => new UnreadableAnswerError(requestLine, 200, 'too_large', 'it exceeds the limit'),
  encoded_twice: (requestLine) =>
    new UnreadableAnswerError(requestLine, 200, 'content_encoding', 'it has several content encodings'),
};

/** Returns the typed error of a fault, without it as `cause`: a fault of fetch may hold the request with its key. */
function typedFault({ method, path }: Call, error: unknown, earlierUnanswered: boolean): Error {
  const requestLine = { method, path };
  if (error instanceof ResponseError) return RESPONSE_ERRORS[error.fault](requestLine);
  if (isRedirect(error)) return new RedirectRefusedError(requestLine);
  const { sent, reason, code } = networkFault(error);
  if (sent) return new NoAnswerError(requestLine, reason, code);
  // Only the last attempt was not sent.
  if (earlierUnanswered) return new NoAnswerError(requestLine, 'reset', `then ${code}`);
  return new ServiceUnreachableError(requestLine, reason, code);
}

/** Whether the service may have acted on an attempt that ended like this. */
function mayHaveActed(ended: Attempt): boolean {
  if ('response' in ended) return ended.response.status >= 500 || ended.response.status === 408;
  return networkFault(ended.fault).sent;
}

function isRedirect(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'unexpected redirect';
}

/** Upper bound of a Retry-After that is reported, 366 days. */
const LONGEST_RETRY_AFTER_MS = 366 * 86_400_000;

/** Returns the wait of a Retry-After header, in seconds or as an HTTP date; null without a valid one. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,10}$/.test(header.trim())) return Math.min(Number(header) * 1000, LONGEST_RETRY_AFTER_MS);
  // An HTTP date starts with its weekday: `Date.parse` alone would read "1.5" as a date in the past.
  const ms = /^\s*[A-Za-z]{3}/.test(header) ? Date.parse(header) - nowMs : Number.NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_RETRY_AFTER_MS);
}
