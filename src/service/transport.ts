import ky, { HTTPError, NetworkError, TimeoutError } from 'ky';
import type { Secret } from '../domain/secret.ts';
import {
  AnswerEncodedTwice,
  AnswerStalled,
  AnswerTooLarge,
  AnswerWithoutStatus,
  boundedFetch,
  type WholeAnswer,
} from './bounded-fetch.ts';
import type { Asked } from './errors/service-error.ts';
import {
  NoAnswerError,
  RedirectRefusedError,
  ServiceUnreachableError,
  UnreadableAnswerError,
} from './errors/transport-errors.ts';
import { networkFault } from './network-fault.ts';
import type { CallLimits } from './options.ts';

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

/** The transport over ky. The secret key is added to each request at the last moment and is kept nowhere else. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, secretKey, random, nowMs, maxRetryAfterMs, signal = null } = options;
  const waitAsked = ({ headers }: Response) => retryAfterMs(headers.get('retry-after'), nowMs());
  const client = ky.create({
    fetch: boundedFetch(options),
    redirect: 'error', // a redirect would carry the key elsewhere (RELIABILITY P25)
    timeout: options.timeoutMs, // of each attempt, and of its body too: boundedFetch resolves when all has been read
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tallyhook' },
  });

  /** Says it for every error, so that no rule of ky's own decides what is sent again. */
  function isWorthRepeating(error: Error): boolean {
    if (error instanceof HTTPError) {
      // Waiting less than it asks would make it worse; waiting longer is the caller's decision.
      const { response } = error;
      return REPEATED_STATUSES.includes(response.status) && (waitAsked(response) ?? 0) <= maxRetryAfterMs;
    }
    if (error instanceof TimeoutError || error instanceof AnswerStalled) return true;
    return error instanceof NetworkError && !isRedirect(error);
  }

  async function send(call: Call): Promise<{ answer: WholeAnswer; earlierUnanswered: boolean }> {
    const { method, path, query = '', headers = {}, body, repeat } = call;
    let unanswered = 0;
    let askedWaitMs: number | null = null;
    const judged = (error: Error) => {
      const again = isWorthRepeating(error);
      askedWaitMs = error instanceof HTTPError ? waitAsked(error.response) : null;
      if (again && mayHaveActed(error)) unanswered++;
      return again;
    };
    try {
      const answer = await client(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(secretKey !== null && { authorization: `Bearer ${secretKey.reveal()}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        ...(signal !== null && { signal }),
        retry: {
          limit: repeat === 'safe' ? options.retries : 0,
          methods: ['get', 'post'],
          delay: (attempt) => askedWaitMs ?? options.retryDelayMs * 2 ** (attempt - 1) * random(),
          shouldRetry: ({ error }) => judged(error),
        },
      });
      return { answer: asFetched(answer), earlierUnanswered: unanswered > 0 };
    } catch (error) {
      if (error instanceof HTTPError) {
        return { answer: asFetched(error.response), earlierUnanswered: unanswered > 0 };
      }
      // Whatever it broke off with; a request that was sent may have had its effect.
      if (signal?.aborted) throw new NoAnswerError({ method, path }, 'aborted', 'by the caller');
      throw typedFault(call, error, unanswered > 0);
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

/** ky hands on the very object that our fetch made. */
function asFetched(response: object): WholeAnswer {
  return response as WholeAnswer;
}

/** Never keeps what was thrown: it holds the request, and the request holds the key. */
function typedFault({ method, path }: Call, error: unknown, earlierUnanswered: boolean): Error {
  const asked = { method, path };
  if (error instanceof TimeoutError) return new NoAnswerError(asked, 'timeout', 'total time');
  if (error instanceof AnswerStalled) return new NoAnswerError(asked, 'idle', 'idle time');
  if (error instanceof AnswerTooLarge)
    return new UnreadableAnswerError(asked, 200, 'too_large', 'it exceeds the limit');
  if (error instanceof AnswerEncodedTwice) {
    return new UnreadableAnswerError(asked, 200, 'content_encoding', 'it is encoded several times over');
  }
  if (error instanceof AnswerWithoutStatus) return new NoAnswerError(asked, 'protocol', 'no HTTP status');
  if (isRedirect(error)) return new RedirectRefusedError(asked);
  const { sent, reason, code } = networkFault(thrownByFetch(error));
  if (sent) return new NoAnswerError(asked, reason, code);
  // "Nothing was sent" is true of the last attempt only.
  if (earlierUnanswered) return new NoAnswerError(asked, 'reset', `then ${code}`);
  return new ServiceUnreachableError(asked, reason, code);
}

/** Whether the service may have acted on an attempt that ended so. */
function mayHaveActed(error: Error): boolean {
  if (error instanceof HTTPError) return error.response.status >= 500 || error.response.status === 408;
  if (error instanceof TimeoutError || error instanceof AnswerStalled) return true;
  return networkFault(thrownByFetch(error)).sent;
}

/** ky wraps what it takes for a fault of the network. */
function thrownByFetch(error: unknown): unknown {
  return error instanceof NetworkError ? error.cause : error;
}

function isRedirect(error: unknown): boolean {
  const thrown = thrownByFetch(error);
  return thrown instanceof TypeError && thrown.cause instanceof Error && thrown.cause.message === 'unexpected redirect';
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
