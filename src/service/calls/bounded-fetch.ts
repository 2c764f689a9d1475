/** The answer grew beyond the limit and was cut off. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** No byte came for the idle time. */
export class AnswerStalled extends Error {
  override readonly name = 'AnswerStalled';
}

/** Several encodings stacked on each other, which only an attack needs (RELIABILITY P25). */
export class AnswerEncodedTwice extends Error {
  override readonly name = 'AnswerEncodedTwice';
}

/** A status that HTTP does not have, such as 999. */
export class AnswerWithoutStatus extends Error {
  override readonly name = 'AnswerWithoutStatus';
}

/** The whole answer was not there within the time of one attempt. */
export class AnswerTimedOut extends Error {
  override readonly name = 'AnswerTimedOut';
}

/** An answer with any status of HTTP, read to its end. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Uint8Array;
}

export interface FetchLimits {
  /** From the request to the last byte. */
  readonly timeoutMs: number;
  /** Longest silence within an answer. */
  readonly idleTimeoutMs: number;
  /** Bytes of a body, counted after any decoding. */
  readonly responseLimitBytes: number;
}

/**
 * A `fetch` that resolves when it has read the whole body, within the limits. Memory stays within them, whatever the answer
 * claims or unpacks to.
 *
 * @throws AnswerTimedOut, AnswerStalled, AnswerTooLarge, AnswerEncodedTwice, AnswerWithoutStatus, and what `fetch` throws
 */
export function boundedFetch({ timeoutMs, idleTimeoutMs, responseLimitBytes }: FetchLimits) {
  return async (url: string, init: RequestInit, stop: AbortSignal | null): Promise<WholeAnswer> => {
    const attempt = new AbortController();
    const timeout = setTimeout(() => attempt.abort(new AnswerTimedOut()), timeoutMs);
    let idle: NodeJS.Timeout | undefined;
    const passOn = () => attempt.abort(stop?.reason);
    if (stop?.aborted) passOn();
    else stop?.addEventListener('abort', passOn);
    try {
      const response = await fetch(url, { ...init, signal: attempt.signal });
      expectReadable(response);
      idle = setTimeout(() => attempt.abort(new AnswerStalled()), idleTimeoutMs);
      const content = await readWhole(response, responseLimitBytes, idle);
      if (response.body === null) attempt.abort(); // a 205 has none, and what it sends all the same would never end
      return { status: response.status, headers: response.headers, content };
    } catch (error) {
      // What an abort breaks off may say so in words of its own.
      const reason = attempt.signal.aborted ? attempt.signal.reason : error;
      attempt.abort(); // what is still coming of an answer that is no use
      throw reason;
    } finally {
      clearTimeout(timeout);
      clearTimeout(idle);
      stop?.removeEventListener('abort', passOn);
    }
  };
}

/** Each piece of the body puts off `idle`. */
async function readWhole({ body }: Response, limitBytes: number, idle: NodeJS.Timeout): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, bytes);
    idle.refresh();
    bytes += value.byteLength;
    if (bytes > limitBytes) throw new AnswerTooLarge();
    chunks.push(value);
  }
}

/** Throws for an answer whose head alone makes it unusable. */
function expectReadable({ status, headers }: Response): void {
  if (status < 200 || status > 599) throw new AnswerWithoutStatus();
  if ((headers.get('content-encoding') ?? '').includes(',')) throw new AnswerEncodedTwice();
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
