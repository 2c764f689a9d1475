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

/**
 * A whole answer. Its bytes stand beside a Response without a body, because ky reads the body of every failure itself:
 * what it has read, nobody can read again.
 */
export class WholeAnswer extends Response {
  readonly content: Uint8Array;

  constructor(content: Uint8Array, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(null, { status, headers });
    this.content = content;
  }
}

export interface FetchLimits {
  /** Bytes of a body, counted after any decoding. */
  readonly responseLimitBytes: number;
  /** Longest silence within an answer. */
  readonly idleTimeoutMs: number;
}

/**
 * A `fetch` that reads the whole body within the limits before it resolves, so that ky's time-out and retries cover the
 * body too. Memory stays within the limit, whatever the answer claims or unpacks to.
 */
export function boundedFetch({ responseLimitBytes, idleTimeoutMs }: FetchLimits) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<WholeAnswer> => {
    const response = await fetch(input, init);
    const refusal = refusalOf(response);
    if (refusal === null) {
      return new WholeAnswer(await readWithin(response, responseLimitBytes, idleTimeoutMs), response);
    }
    await response.body?.cancel().catch(() => undefined);
    throw refusal;
  };
}

async function readWithin(response: Response, limitBytes: number, idleMs: number): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array(0);
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await beforeIdle(reader.read(), idleMs);
      if (done) return joined(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > limitBytes) throw new AnswerTooLarge();
      chunks.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function beforeIdle<Result>(read: Promise<Result>, idleMs: number): Promise<Result> {
  const stalled = Promise.withResolvers<never>();
  const timer = setTimeout(() => stalled.reject(new AnswerStalled()), idleMs);
  try {
    return await Promise.race([read, stalled.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the head alone makes unusable; null for an answer that is worth reading. */
function refusalOf({ status, headers }: Response): Error | null {
  if (status < 200 || status > 599) return new AnswerWithoutStatus();
  return (headers.get('content-encoding') ?? '').includes(',') ? new AnswerEncodedTwice() : null;
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
