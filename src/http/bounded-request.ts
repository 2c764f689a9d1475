import type { Agent } from 'undici';
import { readStart } from './bounded-body.ts';
import { undici } from './undici.ts';

/** Most bytes of an answer that are read. */
const ANSWER_LIMIT_BYTES = 64 * 1024;

export interface RequestOrder {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly dispatcher: Agent;
  /** From connecting to the end of the headers; reading on ends at the same instant. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface RequestAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** Its beginning, as it was sent. */
  readonly start: Uint8Array;
}

/**
 * Sends once: follows no redirect, repeats and decodes nothing. Resolves once the headers are there and the body was read within its
 * limits of size and time; a body that is cut, drips or resets does not change the answer. Rejects when no headers came.
 */
export async function boundedRequest({
  url,
  method,
  headers,
  body,
  dispatcher,
  timeoutMs,
  signal,
}: RequestOrder): Promise<RequestAnswer> {
  const limit = AbortSignal.timeout(timeoutMs);
  const response = await undici().request(url, {
    method,
    headers,
    body,
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    dispatcher,
    headersTimeout: 0, // the signal limits both
    bodyTimeout: 0,
  });
  const after = response.headers['retry-after'];
  const retryAfter = typeof after === 'string' ? after : null;
  return { status: response.statusCode, retryAfter, start: await readStart(response.body, ANSWER_LIMIT_BYTES) };
}
