import { type CallLimits, type Client, createClient, memoryJournal } from '../../src/service/index.ts';
import { payout } from './sample-requests.ts';

// A process of its own, so that its memory is the client's alone: it meets every fault in each round
// and sends its parent the outcomes. Run with --expose-gc.

export interface StormOrder {
  readonly modes: readonly { readonly fault: string; readonly url: string; readonly limits: Partial<CallLimits> }[];
  readonly rounds: number;
  readonly perRound: number;
  readonly concurrency: number;
}

/** What a round left behind: memory after a collection of garbage, and outcomes such as `GET 500 ServiceFailedError`. */
export interface StormRound {
  readonly rssBytes: number;
  /** Peak resident memory of the process, from the operating system. */
  readonly peakRssBytes: number;
  readonly heapBytes: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

process.once('message', async (order: StormOrder) => {
  for (let round = 0; round < order.rounds; round++) process.send?.(await playRound(order));
  process.disconnect();
});

async function playRound({ modes, perRound, concurrency }: StormOrder): Promise<StormRound> {
  const outcomes: Record<string, number> = {};
  for (const { fault, url, limits } of modes) {
    const client = clientOf(url, limits);
    const calls = Array.from({ length: perRound * 2 }, (_, index) =>
      index % 2 === 0
        ? () => outcomeOf(client.payouts.banks(), `GET ${fault}`)
        : () => outcomeOf(client.payouts.send(payout()), `payout ${fault}`),
    );
    const workers = Array.from({ length: concurrency }, async () => {
      for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
        const outcome = await call();
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    });
    await Promise.all(workers);
  }
  global.gc?.();
  const { rss: rssBytes, heapUsed: heapBytes } = process.memoryUsage();
  return { rssBytes, peakRssBytes: process.resourceUsage().maxRSS * 1024, heapBytes, outcomes };
}

async function outcomeOf(call: Promise<unknown>, what: string): Promise<string> {
  return call.then(
    () => `${what} RESOLVED`,
    (error: Error & { reason?: string }) =>
      `${what} ${error.name}${error.reason === undefined ? '' : ` ${error.reason}`}`,
  );
}

function clientOf(baseUrl: string, limits: Partial<CallLimits>): Client {
  const secretKey = 'sk_test_0123456789abcdef';
  return createClient({ baseUrl, secretKey, journal: memoryJournal(), retries: 0, onWarning: () => {}, ...limits });
}
