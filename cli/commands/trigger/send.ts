import { undici } from '../../../src/http/undici.ts';
import type { SampleDelivery } from '../../../src/receive/sample/deliveries.ts';
import { sharedAgent } from '../../../src/service/calls/bounded-fetch.ts';

export interface SendResult {
  /** Deliveries that were sent: fewer than there are after a signal. */
  readonly sent: number;
  /** Responses by HTTP status; `none` counts requests without a response. */
  readonly answers: Readonly<Record<string, number>>;
  /** Responses with another status than expected, and missing ones. */
  readonly unexpected: number;
  /** Of these, the number by status; `none` as in `answers`. */
  readonly unexpectedAnswers: Readonly<Record<string, number>>;
  /** The error of the first request without a response. */
  readonly firstError: string | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly tookMs: number;
}

const RESPONSE_TIMEOUT_MS = 30_000;

export interface SendOptions {
  /** Requests at a time. */
  readonly concurrency: number;
  /** Aborted: no further delivery is sent, and those under way end. */
  readonly signal?: AbortSignal;
  readonly onSent?: (sent: number) => void;
}

/** Posts the deliveries in their order and counts the responses. */
export async function send(
  url: string,
  deliveries: readonly SampleDelivery[],
  { concurrency, signal, onSent }: SendOptions,
): Promise<SendResult> {
  const answers: Record<string, number> = {};
  const latencies: number[] = [];
  const unexpectedAnswers: Record<string, number> = {};
  let firstError: string | null = null;
  const waiting = deliveries.values();
  const startMs = performance.now();

  async function worker(): Promise<void> {
    for (const delivery of waiting) {
      if (signal?.aborted) return;
      const postedMs = performance.now();
      const { status, error } = await post(url, delivery);
      latencies.push(performance.now() - postedMs);
      const answer = status ?? 'none';
      answers[answer] = (answers[answer] ?? 0) + 1;
      if (status !== delivery.expectedStatus) unexpectedAnswers[answer] = (unexpectedAnswers[answer] ?? 0) + 1;
      firstError ??= error;
      onSent?.(latencies.length);
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, deliveries.length) }, worker));

  const tookMs = microseconds(performance.now() - startMs);
  latencies.sort((one, other) => one - other);
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  const unexpected = Object.values(unexpectedAnswers).reduce((sum, count) => sum + count, 0);
  const counts = { sent: latencies.length, answers, unexpected, unexpectedAnswers };
  return { ...counts, firstError, p50Ms, p99Ms, tookMs };
}

async function post(url: string, { body, headers }: SampleDelivery) {
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await undici().request(url, { dispatcher: sharedAgent(), method: 'POST', body, headers, signal });
    await response.body.dump();
    return { status: response.statusCode, error: null };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { status: null, error: typeof code === 'string' ? code : message };
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return microseconds(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/** Milliseconds rounded to whole microseconds. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
