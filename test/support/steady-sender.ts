import { RawConnection, requestBytes } from './raw-http.ts';
import { type Keys, signed, TEST_KEYS } from './signer.ts';
import { until } from './wait.ts';

const LANES = 20;

/** Times by the clock of the receiver. */
export interface SentDelivery {
  readonly sentAtMs: number;
  /** When its answer was read, which on a busy machine is later than it was given. */
  readonly atMs: number;
  readonly status: number;
}

/** Sends deliveries at a steady rate, and knows the truth about each of them. */
export class SteadySender {
  /** Of every delivery that was answered, in order. */
  readonly answers: SentDelivery[] = [];
  keys: Keys = TEST_KEYS;
  #stopped = false;
  /** While it rests: resolves when it goes on. */
  #resting: { readonly over: Promise<void>; readonly goOn: () => void } | null = null;
  readonly #lanes: Promise<void>[];
  /** What each lane waits for. */
  readonly #underWay: Promise<unknown>[] = [];
  readonly #url: string;
  readonly #nowMs: () => number;
  #next = 0;

  constructor(url: string, perSecond: number, nowMs: () => number) {
    this.#url = url;
    this.#nowMs = nowMs;
    const everyMs = (1_000 * LANES) / perSecond;
    this.#lanes = Array.from({ length: LANES }, (_, lane) => this.#lane(lane, everyMs));
  }

  /** How many were answered so since the answer with this number. */
  count(status: number, since = 0): number {
    return this.answers.slice(since).filter((one) => one.status === status).length;
  }

  /** Those that were refused with 503 since the answer with this number. */
  refused(since: number): SentDelivery[] {
    return this.answers.slice(since).filter(({ status }) => status === 503);
  }

  /** Resolves when so many more were answered so. */
  async more(count: number, status: number): Promise<void> {
    const since = this.answers.length;
    await until(() => this.count(status, since) >= count, `${count} more are answered ${status}`);
  }

  /** Sends nothing more until `goOn`. Resolves when all that was sent is answered. */
  async rest(): Promise<void> {
    const { promise: over, resolve: goOn } = Promise.withResolvers<void>();
    this.#resting ??= { over, goOn };
    await Promise.all(this.#underWay);
  }

  goOn(): void {
    this.#resting?.goOn();
    this.#resting = null;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.goOn();
    await Promise.all(this.#lanes);
  }

  async #lane(lane: number, everyMs: number): Promise<void> {
    const connection = await RawConnection.open(this.#url);
    let nextMs = performance.now() + (lane * everyMs) / LANES;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs - performance.now())));
      nextMs += everyMs;
      if (this.#resting !== null) {
        await this.#resting.over;
        nextMs = performance.now() + everyMs * (1 + lane / LANES); // what it did not send is not made up for
      }
      if (this.#stopped) break;
      const body = this.#body();
      const headers = Object.entries(signed(body, this.keys));
      const bytes = requestBytes({ path: '/webhooks/test', headers, body });
      const sentAtMs = this.#nowMs();
      const answering = connection.sendBytes(bytes).then(
        ({ status }) => this.answers.push({ sentAtMs, atMs: this.#nowMs(), status }),
        () => null, // it was killed
      );
      this.#underWay[lane] = answering;
      if ((await answering) === null) return;
    }
    connection.close();
  }

  /** A few refunds, each with ever new times; now and then one that the target is told of. */
  #body(): string {
    const n = this.#next++;
    const updatedAt = new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
    const [status, reference] = n % 100 === 99 ? ['rejected', `TOLD-${n}`] : ['pending', `R-${n % 30}`];
    return `{"event":"refund.${status}","data":{"refund_reference":"${reference}","amount":"50.00","currency":"NGN","status":"${status}","updated_at":"${updatedAt}"}}`;
  }
}
