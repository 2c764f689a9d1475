import { FAULTS, limitsUnder } from './hostile-faults.ts';
import { hostileServer } from './hostile-server.ts';
import { Sweeping } from './sweeping.ts';
import { refund } from './test-database.ts';

export interface SweepStorm {
  readonly modes: number;
  readonly asked: number;
  /** Records whose confirmed status is no longer empty: every one of them is wrong. */
  readonly wrong: readonly string[];
  /** Records that were neither asked about nor are due again: every one of them is lost. */
  readonly lost: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly rssMiB: readonly number[];
}

/** Sweeps `times` refunds against every hostile fault; none of them may end with a status, whatever was answered. */
export async function sweepStorm(times: number): Promise<SweepStorm> {
  const world = new Sweeping();
  const outcomes: Record<string, number> = {};
  const rssMiB: number[] = [];
  let asked = 0;
  for (const [index, [fault, behave]] of FAULTS.entries()) {
    const service = await hostileServer((socket, request, server) => {
      if (server.requests.length > 1_000) server.requests.splice(0); // this process must not grow with them
      behave(socket, request, server);
    });
    world.db.keepAndApply(...Array.from({ length: times }, (_, n) => refund(`F${index}-${n}`, 'processing')));
    world.ask(service.url, limitsUnder(fault));
    // Without a rest: the service fails as a whole, and each record is to meet its fault.
    const breaker = { failures: Number.POSITIVE_INFINITY, restMs: 1, longestRestMs: 1 };
    // What failed before is due in a minute; this clock moves only here, by less.
    const result = await world.sweep({ concurrency: 25, breaker });
    asked += result.asked;
    for (const [outcome, count] of Object.entries(result.failed)) outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    rssMiB.push(Math.round(process.memoryUsage.rss() / 1024 / 1024));
    world.clock.ms += 1;
  }
  const wrong = world
    .rows<{ reference: string; confirmed: string }>(
      'SELECT reference, confirmed FROM refunds WHERE confirmed IS NOT NULL',
    )
    .map(({ reference, confirmed }) => `${reference} ${confirmed}`);
  const lost = world.row<{ n: number }>('SELECT count(*) AS n FROM refunds WHERE due_at IS NULL')?.n ?? 0;
  world.close();
  return { modes: FAULTS.length, asked, wrong, lost, outcomes, rssMiB };
}
