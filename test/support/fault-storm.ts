import { once } from 'node:events';
import { V8_FLAGS } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import type { StormOrder, StormRound } from './fault-storm-client.ts';
import { FAULTS, limitsUnder } from './hostile-faults.ts';
import { hostileServer } from './hostile-server.ts';
import { fork } from './processes.ts';

export interface StormFigures {
  readonly modes: number;
  readonly requests: number;
  /** Number of outcomes by error class. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Outcomes that differ from the table of faults. */
  readonly wrong: readonly string[];
  /** Faults under which not every payout reached the service exactly once. */
  readonly sentOtherThanOnce: readonly string[];
  /** Memory of the client's process at the end of each round. */
  readonly rssMiB: readonly number[];
  readonly peakRssMiB: number;
  readonly heapMiB: readonly number[];
}

/** Returns the figures of a client that meets every hostile fault `times` times, with a GET and a payout, in rounds. */
export async function faultStorm({ times, rounds }: { times: number; rounds: number }): Promise<StormFigures> {
  const posts: Record<string, number> = {};
  const modes = await Promise.all(
    FAULTS.map(async ([fault, behave]) => {
      const server = await hostileServer((socket, request, hostile) => {
        if (request.startsWith('POST')) posts[fault] = (posts[fault] ?? 0) + 1;
        // Counted, and not kept: this process would grow with them.
        if (hostile.requests.length > 1_000) hostile.requests.splice(0);
        behave(socket, request, hostile);
      });
      return { fault, url: server.url, limits: limitsUnder(fault) };
    }),
  );
  const perRound = Math.ceil(times / rounds);
  const ended = await roundsOf({ modes, rounds, perRound, concurrency: 25 });
  const outcomes = ended.flatMap((round) => Object.entries(round.outcomes));
  const byError: Record<string, number> = {};
  for (const [outcome, count] of outcomes) {
    const error = outcome.split(' ').at(/ [a-z_]+$/.test(outcome) ? -2 : -1) ?? '';
    byError[error] = (byError[error] ?? 0) + count;
  }
  const expected = new Set(FAULTS.flatMap(([fault, , error]) => expectedOf(fault, error as ExpectedError)));
  const isExpected = (outcome: string) => [...expected].some((one) => outcome === one || outcome.startsWith(`${one} `));
  const mebibytes = (bytes: number) => Math.round((bytes / 1024 / 1024) * 10) / 10;
  return {
    modes: FAULTS.length,
    requests: outcomes.reduce((sum, [, count]) => sum + count, 0),
    outcomes: byError,
    wrong: [...new Set(outcomes.map(([outcome]) => outcome))].filter((outcome) => !isExpected(outcome)),
    sentOtherThanOnce: modes.map(({ fault }) => fault).filter((fault) => posts[fault] !== perRound * rounds),
    rssMiB: ended.map(({ rssBytes }) => mebibytes(rssBytes)),
    peakRssMiB: mebibytes(ended.at(-1)?.peakRssBytes ?? 0),
    heapMiB: ended.map(({ heapBytes }) => mebibytes(heapBytes)),
  };
}

interface ExpectedError {
  readonly name: string;
  readonly reason?: string;
}

/** A rate limit is a refusal. After any other fault the outcome of a payout is unknown. */
function expectedOf(fault: string, { name, reason }: ExpectedError): string[] {
  const get = `GET ${fault} ${name}${reason === undefined ? '' : ` ${reason}`}`;
  return [get, `payout ${fault} ${name === 'RateLimitedError' ? name : 'AmbiguousOutcomeError'}`];
}

async function roundsOf(order: StormOrder): Promise<StormRound[]> {
  // As serve runs. With V8's default space for young objects, memory is as flat, and about 150 MiB more.
  const child = fork(packageFile('test/support/fault-storm-client.ts'), { execArgv: ['--expose-gc', ...V8_FLAGS] });
  const rounds: StormRound[] = [];
  child.on('message', (round) => rounds.push(round as StormRound));
  const exited = once(child, 'exit');
  child.send(order);
  const [code] = await exited;
  if (code !== 0 || rounds.length !== order.rounds) {
    throw new Error(`The client's process ended with ${code} after ${rounds.length} of ${order.rounds} rounds.`);
  }
  return rounds;
}

/**
 * How much memory grew from the first half of the rounds to the last, in MiB: the smallest of each, so that no peak
 * decides. The first two rounds are the warm-up.
 */
export function growthMiB([, , ...rounds]: readonly number[]): number {
  const half = Math.ceil(rounds.length / 2);
  return Math.round((Math.min(...rounds.slice(half)) - Math.min(...rounds.slice(0, half))) * 10) / 10;
}
