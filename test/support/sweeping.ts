import type { CheckParts } from '../../src/confirm/parts.ts';
import { type SweepOrder, sweep } from '../../src/confirm/sweep.ts';
import type { SweepResult } from '../../src/confirm/sweep-result.ts';
import { type CheckRules, STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { type Client, type ClientOptions, createClient } from '../../src/service/client.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import { FixedClock } from './fixed-clock.ts';
import { openOperations } from './operations.ts';
import { TestDatabase } from './test-database.ts';

export const KEYS = { test: `sk_test_${'1'.repeat(40)}`, live: `sk_live_${'2'.repeat(40)}` } as const;

/** No jitter, so that due times are exact. */
export const EXACT: CheckRules = { ...STANDARD_CHECK_RULES, jitter: 0 };

/** A database, a clock that stands still, and clients of the service at `baseUrl`. */
export class Sweeping {
  readonly db = new TestDatabase();
  readonly clock = new FixedClock();
  readonly operations: OpenOperations;
  readonly abort = new AbortController();
  readonly cutOff = new AbortController();
  clients: ReadonlyMap<Environment, Client> = new Map();

  constructor(checkRules: CheckRules = EXACT) {
    this.operations = openOperations(this.db.path, checkRules, this.clock);
  }

  /** Clients of the service at `baseUrl`, for the environments of `keys`. */
  connect(
    baseUrl: string,
    { keys = KEYS, ...options }: Partial<ClientOptions> & { keys?: Partial<Record<Environment, string>> } = {},
  ): void {
    const client = (secretKey: string) =>
      createClient({
        baseUrl,
        secretKey,
        retries: 0,
        maxRetryAfterMs: 0,
        proven: ['payout', 'collection'],
        signal: this.cutOff.signal,
        ...options,
      });
    this.clients = new Map(Object.entries(keys).map(([name, key]) => [name as Environment, client(key)]));
  }

  get parts(): CheckParts {
    const { operations, clients, clock } = this;
    const [signal, cutOff] = [this.abort.signal, this.cutOff.signal];
    return { operations, clients, clock, random: () => 0, zone: 'UTC', signal, cutOff, sleep: clock.sleep };
  }

  order(over: Partial<SweepOrder> = {}): SweepOrder {
    return {
      filter: { kinds: ['refund', 'payout', 'collection'], environments: ['test', 'live'] },
      limit: null,
      concurrency: 4,
      perSecond: null,
      leaseMs: 120_000,
      giveUpMs: 600_000,
      ...over,
    };
  }

  sweep(over: Partial<SweepOrder> = {}): Promise<SweepResult> {
    return sweep(this.order(over), this.parts);
  }

  row<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.db.database.prepare<unknown[], Row>(sql).get(...values);
  }

  rows<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.db.database.prepare<unknown[], Row>(sql).all(...values);
  }

  close(): void {
    this.operations.close();
    this.db.remove();
  }
}
