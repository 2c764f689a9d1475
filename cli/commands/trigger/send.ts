import type { SampleDelivery } from '../../../src/receive/sample/deliveries.ts';

export interface SendResult {
  readonly sent: number;
  /** Answers by HTTP status; `none` counts requests that got no answer. */
  readonly answers: Readonly<Record<string, number>>;
  /** Answers that said `duplicate: true`. */
  readonly duplicatesAcknowledged: number;
  /** Answers other than the expected status. */
  readonly unexpected: number;
  /** Why the first request without an answer got none. */
  readonly firstError: string | null;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly elapsedMs: number;
}

const ANSWER_TIMEOUT_MS = 30_000;

/** Posts the deliveries in their order, `concurrency` at a time, and counts the answers. */
export async function send(
  url: string,
  deliveries: readonly SampleDelivery[],
  { concurrency }: { concurrency: number },
): Promise<SendResult> {
  const answers: Record<string, number> = {};
  const latencies: number[] = [];
  let duplicatesAcknowledged = 0;
  let unexpected = 0;
  let firstError: string | null = null;
  const waiting = deliveries.values();
  const begun = performance.now();

  async function worker(): Promise<void> {
    for (const delivery of waiting) {
      const asked = performance.now();
      const { status, duplicate, error } = await post(url, delivery);
      latencies.push(performance.now() - asked);
      answers[status ?? 'none'] = (answers[status ?? 'none'] ?? 0) + 1;
      if (duplicate) duplicatesAcknowledged++;
      if (status !== delivery.expectedStatus) unexpected++;
      firstError ??= error;
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, deliveries.length) }, worker));

  const elapsedMs = microseconds(performance.now() - begun);
  latencies.sort((one, other) => one - other);
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { sent: deliveries.length, answers, duplicatesAcknowledged, unexpected, firstError, p50Ms, p99Ms, elapsedMs };
}

async function post(url: string, { body, headers }: SampleDelivery) {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const response = await fetch(url, {
      method: 'POST',
      body: new Uint8Array(body),
      headers,
      redirect: 'manual',
      signal,
    });
    const answer = await response.text();
    return { status: response.status, duplicate: response.status === 200 && saysDuplicate(answer), error: null };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    return { status: null, duplicate: false, error: cause?.code ?? cause?.message ?? message };
  }
}

function saysDuplicate(answer: string): boolean {
  try {
    return JSON.parse(answer)?.duplicate === true;
  } catch {
    return false;
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return microseconds(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/** Milliseconds without digits that mean nothing. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
