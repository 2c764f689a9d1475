/*
 * One call to the service, and its retry policy.
 *
 * Repeated, up to `retries` times: a GET, and a POST with an idempotency key (`repeat: 'safe'`), after 408, 429, 500, 502,
 * 503, 504, a timeout or a network fault; after Retry-After, else `retryDelayMs`, doubled each time, with full jitter.
 * Sent once: every other POST (`repeat: 'never'`). Never repeated: other statuses, redirects, unusable bodies, a Retry-After
 * above `maxRetryAfterMs`.
 */
import ky, { type Options, type RetryOptions } from 'ky';
import type { Secret } from '../../domain/secrets/secret.ts';
import { ResponseError } from '../../http/bounded-body.ts';
import { retryAfterMs } from '../../http/retry-after.ts';
import type { RequestLine } from '../errors/service-error.ts';
import { NoAnswerError } from '../errors/transport-errors.ts';
import type { CallLimits } from '../options.ts';
import { boundedFetch, type WholeResponse } from './bounded-fetch.ts';
import { networkFault, typedFault } from './network-fault.ts';

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
  /** The body is compressed; it is never unpacked. */
  readonly isEncoded: boolean;
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
   * (too_large) when something was
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

/** A complete response whose status may be temporary. Thrown so that ky repeats the request; it has the response when ky gives up. */
class PassingStatus extends Error {
  readonly response: WholeResponse;
  constructor(response: WholeResponse) {
    super(`status ${response.status}`);
    this.response = response;
  }
}

/** Returns the transport over ky. The secret key is added to each request just before it is sent and stored nowhere else. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, secretKey, random, nowMs, timeoutMs, retryDelayMs, maxRetryAfterMs, signal = null } = options;
  const fetchWhole = boundedFetch(options);
  const retryAfterOf = ({ headers }: Response) => retryAfterMs(headers.get('retry-after'), nowMs());

  async function fetchOnce(request: Request, { headers, body }: Call): Promise<WholeResponse> {
    const sent = {
      ...HEADERS,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(secretKey !== null && { authorization: `Bearer ${secretKey.reveal()}` }),
      ...headers,
    };
    const response = await fetchWhole(request, sent, body ?? null);
    if (RETRIED_STATUSES.includes(response.status)) throw new PassingStatus(response);
    return response;
  }

  return {
    async exchange(call) {
      const { method, path, query = '', repeat } = call;
      let earlierUnanswered = false;
      let afterMs: number | null = null;
      const retry: RetryOptions = {
        limit: repeat === 'safe' ? options.retries : 0,
        methods: ['get', 'post'],
        shouldRetry({ error }) {
          afterMs = error instanceof PassingStatus ? retryAfterOf(error.response) : null;
          // A retry before Retry-After would add load; a wait above the limit is the caller's decision.
          if (error instanceof ResponseError || (afterMs ?? 0) > maxRetryAfterMs) return false;
          earlierUnanswered ||= mayHaveActed(error);
          return true;
        },
        delay: (retries) => afterMs ?? retryDelayMs * 2 ** (retries - 1) * random(),
      };
      // ky copies the request that it is given, so it gets neither key nor body.
      const send = (request: Request | string | URL) => fetchOnce(request as Request, call);
      const order: Options = { method, signal, retry, timeout: timeoutMs, throwHttpErrors: false, fetch: send };
      const answered: Promise<Response> = ky(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, order);
      const response = (await answered.catch((error: unknown) => {
        // An aborted request may have been sent and had its effect.
        if (signal?.aborted) throw new NoAnswerError({ method, path }, 'aborted', 'by the caller');
        if (error instanceof PassingStatus) return error.response;
        throw typedFault(call, error, earlierUnanswered);
      })) as WholeResponse;
      return {
        httpStatus: response.status,
        contentType: response.headers.get('content-type') ?? '',
        isEncoded: !/^(identity)?$/i.test(response.headers.get('content-encoding') ?? ''),
        body: response.content,
        retryAfterMs: retryAfterOf(response),
        earlierUnanswered,
      };
    },
  };
}

/** Whether the service may have acted on an attempt that ended like this. */
function mayHaveActed(error: unknown): boolean {
  if (error instanceof PassingStatus) return error.response.status >= 500 || error.response.status === 408;
  return networkFault(error).sent;
}
