import { once } from 'node:events';
import { V8_FLAGS } from '../../cli/runtime.js';
import { packageFile } from '../../src/package-root.ts';
import { FAULTS, limitsUnder } from './hostile-faults.ts';
import { hostileServer } from './hostile-server.ts';
import { fork } from './processes.ts';
import type { StormSweep, StormSwept } from './sweep-storm-process.ts';
import { refund, TestDatabase } from './test-database.ts';

export interface SweepStorm {
  readonly modes: number;
  /** Checks sent. */
  readonly checked: number;
  /** Records whose confirmed status is no longer empty: each is wrong. */
  readonly wrong: readonly string[];
  /** Records that are not due again: each is lost. */
  readonly lost: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of the sweeping process, after each fault. */
  readonly rssMiB: readonly number[];
}

const CHECKED_AGAIN_MS = 60_000;

/** Sweeps `times` refunds against every hostile fault. No response may give any of them a status. */
export async function sweepStorm(times: number): Promise<SweepStorm> {
  const db = new TestDatabase();
  const sweeper = fork(packageFile('test/support/sweep-storm-process.ts'), {
    execArgv: ['--expose-gc', ...V8_FLAGS],
  });
  const outcomes: Record<string, number> = {};
  const rssMiB: number[] = [];
  let checked = 0;
  for (const [index, [fault, behave]] of FAULTS.entries()) {
    const service = await hostileServer((socket, request, server) => {
      if (server.requests.length > 1_000) server.requests.splice(0); // this process must not grow with them
      behave(socket, request, server);
    });
    db.keepAndApply(...Array.from({ length: times }, (_, n) => refund(`F${index}-${n}`, 'processing')));
    // Refunds of earlier faults must not become due again during this one.
    db.database
      .prepare('UPDATE refunds SET due_at = due_at + ? WHERE confirmed IS NULL AND id <= ?')
      .run(60 * CHECKED_AGAIN_MS, index * times);
    sweeper.send({ database: db.path, url: service.url, limits: limitsUnder(fault) } satisfies StormSweep);
    const [swept] = (await once(sweeper, 'message')) as [StormSwept];
    checked += swept.checked;
    for (const [outcome, count] of Object.entries(swept.failed)) outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    rssMiB.push(Math.round(swept.rssBytes / 1024 / 1024));
  }
  sweeper.disconnect();
  const wrong = db.database
    .prepare<[], string>("SELECT reference || ' ' || confirmed FROM refunds WHERE confirmed IS NOT NULL")
    .pluck()
    .all();
  const lost = db.database.prepare<[], number>('SELECT count(*) FROM refunds WHERE due_at IS NULL').pluck().get() ?? 0;
  db.remove();
  return { modes: FAULTS.length, checked, wrong, lost, outcomes, rssMiB };
}
