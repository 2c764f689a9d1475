import ky, { HTTPError, TimeoutError } from 'ky';
import type { Secret } from '../domain/secret.ts';
import { AnswerEncodedTwice, AnswerStalled, AnswerTooLarge, boundedFetch } from './bounded-fetch.ts';
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
}

const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];

/** The transport over ky. The secret key is added to each request at the last moment and is kept nowhere else. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, secretKey, random, nowMs, maxRetryAfterMs } = options;
  const waitAsked = (response: Response) => retryAfterMs(response.headers.get('retry-after'), nowMs());
  const client = ky.create({
    fetch: boundedFetch(options),
    redirect: 'error', // a redirect would carry the key elsewhere (RELIABILITY P25)
    timeout: options.timeoutMs,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tallyhook' },
  });

  function shouldRetry(error: Error): boolean | undefined {
    if (error instanceof AnswerTooLarge || error instanceof AnswerEncodedTwice || isRedirect(error)) return false;
    if (!(error instanceof HTTPError)) return undefined;
    // Waiting less than it asks would make it worse; waiting longer is the caller's decision.
    return (waitAsked(error.response) ?? 0) > maxRetryAfterMs ? false : undefined;
  }

  async function send(call: Call): Promise<{ response: Response; earlierUnanswered: boolean }> {
    const { method, path, query = '', headers = {}, body, repeat } = call;
    let unanswered = 0;
    let askedWaitMs: number | null = null;
    const judged = (error: Error) => {
      const again = shouldRetry(error);
      askedWaitMs = error instanceof HTTPError ? waitAsked(error.response) : null;
      if (again !== false && mayHaveActed(error)) unanswered++;
      return again;
    };
    try {
      const response = await client(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(secretKey !== null && { authorization: `Bearer ${secretKey.reveal()}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        retry: {
          limit: repeat === 'safe' ? options.retries : 0,
          methods: ['get', 'post'],
          statusCodes: RETRIED_STATUSES,
          afterStatusCodes: [], // ky would wait its maximum for a Retry-After that says nothing
          retryOnTimeout: true,
          delay: (attempt) => askedWaitMs ?? options.retryDelayMs * 2 ** (attempt - 1) * random(),
          shouldRetry: ({ error }) => judged(error),
        },
      });
      return { response, earlierUnanswered: unanswered > 0 };
    } catch (error) {
      if (error instanceof HTTPError) return { response: error.response, earlierUnanswered: unanswered > 0 };
      throw typedFault(call, error, unanswered > 0);
    }
  }

  return {
    async exchange(call) {
      const { response, earlierUnanswered } = await send(call);
      return {
        httpStatus: response.status,
        contentType: response.headers.get('content-type') ?? '',
        body: new Uint8Array(await response.arrayBuffer()),
        retryAfterMs: waitAsked(response),
        earlierUnanswered,
      };
    },
  };
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
  if (isRedirect(error)) return new RedirectRefusedError(asked);
  const { sent, reason, code } = networkFault(error);
  if (sent) return new NoAnswerError(asked, reason, code);
  // "Nothing was sent" is true of the last attempt only.
  if (earlierUnanswered) return new NoAnswerError(asked, 'reset', `then ${code}`);
  return new ServiceUnreachableError(asked, reason, code);
}

/** Whether the service may have acted on an attempt that ended so. */
function mayHaveActed(error: Error): boolean {
  if (error instanceof HTTPError) return error.response.status >= 500 || error.response.status === 408;
  if (error instanceof TimeoutError || error instanceof AnswerStalled) return true;
  return networkFault(error).sent;
}

function isRedirect(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'unexpected redirect';
}

const LONGEST_WAIT_MS = 366 * 86_400_000;

/** Seconds or an HTTP date; null when there is none or it says nothing. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const ms = /^\d{1,10}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_WAIT_MS);
}
