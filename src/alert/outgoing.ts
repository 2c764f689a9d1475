import type { Secret } from '../domain/secret.ts';
import { boundedFetch, CutError, ResponseError } from '../service/calls/bounded-fetch.ts';

/*
 * Requests to addresses of the operator's choice: a chat channel, a watcher. The address is a secret, and the other end may be
 * anyone, so no message shows the address or the answer, redirects are refused and the answer is bounded.
 */

const IDLE_MS = 5_000;
/** Bytes of an answer that are read. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** One request; resolves when it is answered with 2xx. Rejects with an Error that names no address. */
export async function sendOut(
  address: Secret,
  { method, body, signal }: { readonly method: 'GET' | 'POST'; readonly body?: unknown; readonly signal: AbortSignal },
): Promise<void> {
  const send = boundedFetch({ idleTimeoutMs: IDLE_MS, responseLimitBytes: MOST_ANSWER_BYTES });
  const request = new Request(address.reveal(), { method, signal });
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const status = await send(request, headers, body === undefined ? null : JSON.stringify(body)).then(
    (response) => response.status,
    (error) => {
      throw new Error(faultOf(error, signal));
    },
  );
  if (status < 200 || status > 299) throw new Error(`answered ${status}`);
}

function faultOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof ResponseError) return FAULTS[error.fault];
  if (error instanceof CutError) return 'the answer was cut';
  if (signal.aborted) return 'no answer in time';
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const name = code ?? cause?.code;
  return typeof name === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(name) ? `no connection: ${name}` : 'no connection';
}

const FAULTS = {
  no_status: 'the answer has no status of HTTP',
  redirect: 'answered with a redirect, which is not followed',
  too_large: 'the answer is too large',
} as const satisfies Record<ResponseError['fault'], string>;
