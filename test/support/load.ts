import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from './random.ts';
import { type Answer, RawConnection, requestBytes } from './raw-http.ts';
import { signed } from './signer.ts';

const REFUND_STATUSES = ['awaiting_settlement', 'pending', 'processing', 'failed', 'rejected', 'success'] as const;

/** A day of a merchant: several events per refund, in any order, some delivered again, some with another content. */
export class Traffic {
  readonly #random: () => number;
  readonly #sent: string[] = [];
  readonly #run: string;
  #next = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#run = `S${seed}`;
  }

  body(): string {
    const earlier = this.#sent[Math.floor(this.#random() * this.#sent.length)];
    const choice = this.#random();
    if (earlier !== undefined && choice < 0.2) return earlier;
    const body = earlier !== undefined && choice < 0.3 ? this.#variantOf(earlier) : this.#event();
    // New bodies replace old ones, so that repetitions are not only of the first.
    if (this.#sent.length < 500) this.#sent.push(body);
    else this.#sent[Math.floor(this.#random() * 500)] = body;
    return body;
  }

  #event(): string {
    const n = this.#next++;
    const record = `${this.#run}-${Math.floor(n / 4)}`;
    const updatedAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(this.#random() * 1e10)).toISOString();
    if (n % 10 === 9)
      return `{"notify":"payout","notifyType":"successful","data":{"reference":"P-${record}","n":${n}}}`;
    const status = REFUND_STATUSES[Math.floor(this.#random() * REFUND_STATUSES.length)];
    return `{"event":"refund.${status}","data":{"refund_reference":"R-${record}","amount":"50.00","currency":"NGN","status":"${status}","updated_at":"${updatedAt}","n":${n}}}`;
  }

  #variantOf(body: string): string {
    return body.replace(/"n":\d+/, `"n":${this.#next++}`);
  }
}

interface LoadSetup {
  readonly connections: number;
  readonly seed: number;
  /** Pause of each connection after an answer. */
  readonly pauseMs?: number;
  /** The signature headers of a body; those of the test keys unless given. */
  readonly sign?: (body: string) => Record<string, string>;
}

/** Keep-alive connections that send without a pause and keep every body that was answered 200. */
export class Load {
  /** Body to the number of 200s it got, noted after the whole answer was read. */
  readonly acked = new Map<string, number>();
  /** Body to how often it was sent, answered or not. */
  readonly sent = new Map<string, number>();
  readonly statuses = new Map<number, number>();
  /** Requests whose answer never came. */
  unanswered = 0;
  /** Connections that could not be opened. */
  refused = 0;
  ackedTotal = 0;
  #url: string | null;
  #stopped = false;
  readonly #sign: (body: string) => Record<string, string>;
  readonly #pauseMs: number;
  readonly #lanes: Promise<void>[];
  readonly #traffic: Traffic;
  #wakeUp = Promise.withResolvers<void>();

  /** `url`: of the receiver; null while none runs. */
  constructor(url: string | null, { connections, seed, pauseMs = 0, sign = signed }: LoadSetup) {
    this.#url = url;
    this.#pauseMs = pauseMs;
    this.#sign = sign;
    this.#traffic = new Traffic(seed);
    this.#lanes = Array.from({ length: connections }, () => this.#lane());
  }

  /** The receiver's URL after a restart; null while none runs. */
  moveTo(url: string | null): void {
    this.#url = url;
    this.#wakeUp.resolve();
    this.#wakeUp = Promise.withResolvers();
  }

  /** Ends every lane after the answer it waits for. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.moveTo(null);
    await Promise.all(this.#lanes);
  }

  async #lane(): Promise<void> {
    while (!this.#stopped) {
      const url = this.#url;
      const connection = url === null ? null : await RawConnection.open(url).catch(() => this.#refused());
      if (connection === null) await this.#moved();
      else await this.#use(connection, url);
    }
  }

  #refused(): null {
    this.refused++;
    return null;
  }

  /** A refused connection waits for the next address; a short poll covers a lost race. */
  #moved(): Promise<void> {
    const soon = new Promise<void>((resolve) => setTimeout(resolve, 20));
    return this.#url === null && !this.#stopped ? this.#wakeUp.promise : soon;
  }

  /** Sends until the receiver has another URL. */
  async #use(connection: RawConnection, url: string | null): Promise<void> {
    try {
      while (!this.#stopped && this.#url === url) {
        const body = this.#traffic.body();
        const bytes = requestBytes({ path: '/webhooks/test', headers: Object.entries(this.#sign(body)), body });
        this.sent.set(body, (this.sent.get(body) ?? 0) + 1);
        const answer = await connection.sendBytes(bytes);
        this.#note(body, answer);
        if (this.#pauseMs > 0) await pause(this.#pauseMs);
        if (answer.headers.connection === 'close') break;
      }
    } catch {
      this.unanswered++;
    } finally {
      connection.close();
    }
  }

  #note(body: string, { status }: Answer): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status !== 200) return;
    this.acked.set(body, (this.acked.get(body) ?? 0) + 1);
    this.ackedTotal++;
  }
}
