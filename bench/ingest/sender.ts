import { once } from 'node:events';
import { Connection } from './connection.ts';
import type { SenderReport, SenderTask } from './load.ts';
import { RequestReader } from './request-file.ts';

// The load generator, a process of its own: raw keep-alive sockets, requests streamed from a file.

const TICK_MS = 1;
const SILENCE_MS = 60_000;
const TENTHS = 10;

class Sender {
  readonly #task: SenderTask;
  readonly #requests: RequestReader;
  readonly #done = Promise.withResolvers<void>();
  readonly #latenciesMs: number[] = [];
  readonly #tenths: number[] = [];
  /** In order of waiting time: the receiver closes a connection that is idle for some seconds. */
  readonly #idle: Connection[] = [];
  #startMs = 0;
  #sent = 0;
  #failures = 0;

  constructor(task: SenderTask) {
    this.#task = task;
    this.#requests = new RequestReader(task.path);
  }

  async run(): Promise<SenderReport> {
    const { port, connections } = this.#task;
    const opened = Array.from({ length: connections }, () =>
      Connection.open(port, {
        onAnswer: (connection, status, sinceMs) => this.#answered(connection, status, sinceMs),
        onBroken: (error) => this.#done.reject(error),
      }),
    );
    this.#idle.push(...(await Promise.all(opened)));
    this.#startMs = performance.now();
    const watch = this.#watch();
    this.#sendDue();
    await this.#done.promise;
    clearInterval(watch);
    const seconds = (performance.now() - this.#startMs) / 1_000;
    const { repeated } = this.#requests;
    return { latenciesMs: this.#latenciesMs, seconds, failures: this.#failures, repeated, tenths: this.#tenths };
  }

  /** Sends a request on each idle connection while requests are due. */
  #sendDue(): void {
    const nowMs = performance.now();
    while (this.#idle.length > 0 && this.#sent < this.#dueBy(nowMs)) {
      this.#idle.shift()?.send(this.#requests.next(), this.#scheduledMs(this.#sent++, nowMs));
    }
    if (this.#task.order.kind === 'steady' && this.#sent < this.#task.requests)
      setTimeout(() => this.#sendDue(), TICK_MS);
  }

  #answered(connection: Connection, status: number, sinceMs: number): void {
    const nowMs = performance.now();
    this.#latenciesMs.push(nowMs - sinceMs);
    if (status < 200 || status > 299) this.#failures++;
    const answered = this.#latenciesMs.length;
    if (this.#task.order.kind === 'all' && answered >= ((this.#tenths.length + 1) / TENTHS) * this.#task.requests) {
      this.#tenths.push((nowMs - this.#startMs) / 1_000);
    }
    if (this.#sent < this.#dueBy(nowMs)) {
      connection.send(this.#requests.next(), this.#scheduledMs(this.#sent++, nowMs));
      return;
    }
    this.#idle.push(connection);
    if (answered === this.#sent && this.#isOver(nowMs)) this.#done.resolve();
  }

  /** Requests that should have been sent by `nowMs`. */
  #dueBy(nowMs: number): number {
    const { order, requests } = this.#task;
    if (order.kind === 'all') return requests;
    if (order.kind === 'closed') return this.#isOver(nowMs) ? 0 : Number.POSITIVE_INFINITY;
    return Math.min(requests, Math.floor(((nowMs - this.#startMs) / 1_000) * order.perSecond) + 1);
  }

  #isOver(nowMs: number): boolean {
    const { order, requests } = this.#task;
    return order.kind === 'closed' ? nowMs - this.#startMs >= order.seconds * 1_000 : this.#sent >= requests;
  }

  /** A steady load is measured from its plan, so that a late response counts for all requests that waited behind it. */
  #scheduledMs(index: number, nowMs: number): number {
    const { order } = this.#task;
    return order.kind === 'steady' ? this.#startMs + (index / order.perSecond) * 1_000 : nowMs;
  }

  #watch(): NodeJS.Timeout {
    let seen = 0;
    return setInterval(() => {
      if (this.#latenciesMs.length === seen) this.#done.reject(new Error(`no answer for ${SILENCE_MS} ms`));
      seen = this.#latenciesMs.length;
    }, SILENCE_MS);
  }
}

function tell(report: SenderReport | { error: string }): Promise<void> {
  return new Promise((resolve) => process.send?.(report, () => resolve()));
}

const [task] = (await once(process, 'message')) as [SenderTask];
process.on('disconnect', () => process.exit(1));
try {
  await tell(await new Sender(task).run());
} catch (error) {
  await tell({ error: error instanceof Error ? error.message : String(error) });
}
process.exit();
