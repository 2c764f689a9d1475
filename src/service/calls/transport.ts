import { setTimeout as delay } from 'node:timers/promises';
import type { Secret } from '../../domain/secret.ts';
import type { Asked } from '../errors/service-error.ts';
import {
  NoAnswerError,
  RedirectRefusedError,
  ServiceUnreachableError,
  UnreadableAnswerError,
} from '../errors/transport-errors.ts';
import { type CallLimits, LONGEST_TIMER_MS } from '../options.ts';
import {
  AnswerEncodedTwice,
  AnswerStalled,
  AnswerTimedOut,
  AnswerTooLarge,
  AnswerWithoutStatus,
  boundedFetch,
  type WholeAnswer,
} from './bounded-fetch.ts';
import { networkFault } from './network-fault.ts';

/** One request to the service. */
export interface Call extends Asked {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text; the client writes it itself, so that amounts keep their digits. */
  readonly body?: string;
  /** `safe`: a GET, or a POST with an idempotency key. Everything else is sent once. */
  readonly repeat: 'safe' | 'never';
}

/** A complete answer with any status, within the limits, not yet read. */
export interface Exchange {
  readonly httpStatus: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly retryAfterMs: number | null;
  /** An earlier attempt of this call was sent and not answered, or answered by a failure: it may have had its effect. */
  readonly earlierUnanswered: boolean;
}

export interface Transport {
  /**
   * Sends a request, again where that is safe. Every HTTP status is an answer.
   *
   * @throws ServiceUnreachableError when nothing was sent; NoAnswerError, RedirectRefusedError or UnreadableAnswerError
   * (too_large, content_encoding) when something was
   */
  exchange(call: Call): Promise<Exchange>;
}

export interface TransportOptions extends CallLimits {
  readonly baseUrl: string;
  /** Null for inline checkout, which knows a public key only. */
  readonly secretKey: Secret | null;
  readonly random: () => number;
  readonly nowMs: () => number;
  /** Aborted: nothing more is waited for. */
  readonly signal?: AbortSignal | null;
}

const REPEATED_STATUSES = [408, 429, 500, 502, 503, 504];
const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tallyhook' };

/** How one attempt ended. */
type Attempt = { readonly answer: WholeAnswer } | { readonly fault: unknown };

/** The transport over `fetch`. The secret key is added to each request at the last moment and is kept nowhere else. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, secretKey, random, nowMs, retryDelayMs, maxRetryAfterMs, signal = null } = options;
  const fetchWhole = boundedFetch(options);
  const waitAsked = ({ headers }: WholeAnswer) => retryAfterMs(headers.get('retry-after'), nowMs());

  async function attempt({ method, path, query = '', headers, body }: Call): Promise<Attempt> {
    const request: RequestInit = {
      method,
      redirect: 'error', // a redirect would carry the key elsewhere (RELIABILITY P25)
      headers: {
        ...HEADERS,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(secretKey !== null && { authorization: `Bearer ${secretKey.reveal()}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    };
    try {
      return { answer: await fetchWhole(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, request, signal) };
    } catch (fault) {
      return { fault };
    }
  }

  function isWorthRepeating(ended: Attempt): boolean {
    if ('answer' in ended) {
      // Waiting less than it asks would make it worse; waiting longer is the caller's decision.
      return REPEATED_STATUSES.includes(ended.answer.status) && (waitAsked(ended.answer) ?? 0) <= maxRetryAfterMs;
    }
    const { fault } = ended;
    if (fault instanceof AnswerTimedOut || fault instanceof AnswerStalled) return true;
    return fault instanceof TypeError && !isRedirect(fault); // what fetch throws for the network
  }

  /** Before the attempt after this one; false when nothing is waited for any more. */
  async function rest(ended: Attempt, attempts: number): Promise<boolean> {
    const askedMs = 'answer' in ended ? waitAsked(ended.answer) : null;
    const waitMs = askedMs ?? retryDelayMs * 2 ** (attempts - 1) * random();
    return delay(Math.min(waitMs, LONGEST_TIMER_MS), true, signal === null ? {} : { signal }).catch(() => false);
  }

  async function send(call: Call): Promise<{ answer: WholeAnswer; earlierUnanswered: boolean }> {
    const { method, path, repeat } = call;
    const mostAttempts = repeat === 'safe' ? options.retries + 1 : 1;
    // Whatever it broke off with; a request that was sent may have had its effect.
    const aborted = () => new NoAnswerError({ method, path }, 'aborted', 'by the caller');
    let earlierUnanswered = false;
    for (let attempts = 1; ; attempts++) {
      const ended = await attempt(call);
      if (attempts < mostAttempts && isWorthRepeating(ended)) {
        earlierUnanswered ||= mayHaveActed(ended);
        if (!(await rest(ended, attempts))) throw aborted();
      } else if ('answer' in ended) {
        return { answer: ended.answer, earlierUnanswered };
      } else {
        throw signal?.aborted ? aborted() : typedFault(call, ended.fault, earlierUnanswered);
      }
    }
  }

  return {
    async exchange(call) {
      const { answer, earlierUnanswered } = await send(call);
      return {
        httpStatus: answer.status,
        contentType: answer.headers.get('content-type') ?? '',
        body: answer.content,
        retryAfterMs: waitAsked(answer),
        earlierUnanswered,
      };
    },
  };
}

/** Never keeps what was thrown: it holds the request, and the request holds the key. */
function typedFault({ method, path }: Call, error: unknown, earlierUnanswered: boolean): Error {
  const asked = { method, path };
  if (error instanceof AnswerTimedOut) return new NoAnswerError(asked, 'timeout', 'total time');
  if (error instanceof AnswerStalled) return new NoAnswerError(asked, 'idle', 'idle time');
  if (error instanceof AnswerTooLarge)
    return new UnreadableAnswerError(asked, 200, 'too_large', 'it exceeds the limit');
  if (error instanceof AnswerEncodedTwice) {
    return new UnreadableAnswerError(asked, 200, 'content_encoding', 'it is encoded several times over');
  }
  if (error instanceof AnswerWithoutStatus) return new NoAnswerError(asked, 'protocol', 'no HTTP status');
  if (isRedirect(error)) return new RedirectRefusedError(asked);
  const { sent, reason, code } = networkFault(error);
  if (sent) return new NoAnswerError(asked, reason, code);
  // "Nothing was sent" is true of the last attempt only.
  if (earlierUnanswered) return new NoAnswerError(asked, 'reset', `then ${code}`);
  return new ServiceUnreachableError(asked, reason, code);
}

/** Whether the service may have acted on an attempt that ended so. */
function mayHaveActed(ended: Attempt): boolean {
  if ('answer' in ended) return ended.answer.status >= 500 || ended.answer.status === 408;
  const { fault } = ended;
  return fault instanceof AnswerTimedOut || fault instanceof AnswerStalled || networkFault(fault).sent;
}

function isRedirect(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'unexpected redirect';
}

const LONGEST_WAIT_MS = 366 * 86_400_000;

/** Seconds or an HTTP date; null when there is none or it says nothing. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,10}$/.test(header.trim())) return Math.min(Number(header) * 1000, LONGEST_WAIT_MS);
  // An HTTP date starts with its weekday; `Date.parse` alone takes "1.5" for a day long ago.
  const ms = /^\s*[A-Za-z]{3}/.test(header) ? Date.parse(header) - nowMs : Number.NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_WAIT_MS);
}
