/**
 * Why a response cannot be used: it was not complete within `timeoutMs`; no byte arrived for `idleTimeoutMs`; its body grew
 * beyond `responseLimitBytes`; it has several content encodings, which only an attack needs (RELIABILITY P25); its HTTP status
 * is outside 200 to 599.
 */
export type ResponseFault = 'timed_out' | 'stalled' | 'too_large' | 'encoded_twice' | 'no_status';

export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly fault: ResponseFault;
  constructor(fault: ResponseFault) {
    super(fault);
    this.fault = fault;
  }
}

/** A response with any HTTP status, read to its end. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Uint8Array;
}

export interface FetchLimits {
  /** From the request to the last byte. */
  readonly timeoutMs: number;
  /** Longest time between two pieces of a body. */
  readonly idleTimeoutMs: number;
  /** Bytes of a body, counted after decoding. */
  readonly responseLimitBytes: number;
}

/**
 * Returns a `fetch` that resolves once the whole body is read. The limits also bound its memory, for any length that
 * the response declares or unpacks to.
 *
 * @throws ResponseError, and the errors of `fetch`
 */
export function boundedFetch({ timeoutMs, idleTimeoutMs, responseLimitBytes }: FetchLimits) {
  return async (url: string, init: RequestInit, stop: AbortSignal | null): Promise<WholeResponse> => {
    const attempt = new AbortController();
    const timeout = setTimeout(() => attempt.abort(new ResponseError('timed_out')), timeoutMs);
    let idle: NodeJS.Timeout | undefined;
    const abort = () => attempt.abort(stop?.reason);
    if (stop?.aborted) abort();
    else stop?.addEventListener('abort', abort);
    try {
      const response = await fetch(url, { ...init, signal: attempt.signal });
      expectReadable(response);
      idle = setTimeout(() => attempt.abort(new ResponseError('stalled')), idleTimeoutMs);
      const content = await readWhole(response, responseLimitBytes, idle);
      if (response.body === null) attempt.abort(); // a 205 has no body; bytes it sends anyway would hold the connection
      return { status: response.status, headers: response.headers, content };
    } catch (error) {
      // An aborted read may throw another error than the reason of the abort.
      const reason = attempt.signal.aborted ? attempt.signal.reason : error;
      attempt.abort(); // stops the rest of an unusable response
      throw reason;
    } finally {
      clearTimeout(timeout);
      clearTimeout(idle);
      stop?.removeEventListener('abort', abort);
    }
  };
}

/** Reads the body; each piece restarts the timer `idle`. */
async function readWhole({ body }: Response, limitBytes: number, idle: NodeJS.Timeout): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, bytes);
    idle.refresh();
    bytes += value.byteLength;
    if (bytes > limitBytes) throw new ResponseError('too_large');
    chunks.push(value);
  }
}

/** Throws when status or headers already make the response unusable. */
function expectReadable({ status, headers }: Response): void {
  if (status < 200 || status > 599) throw new ResponseError('no_status');
  if ((headers.get('content-encoding') ?? '').includes(',')) throw new ResponseError('encoded_twice');
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
