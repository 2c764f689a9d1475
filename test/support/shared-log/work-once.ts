import { termsOf } from '../../../src/alert/terms.ts';
import type { Operations } from '../../../src/store/operations.ts';
import { refund } from '../deliveries.ts';
import { FixedClock, START_MS } from '../fixed-clock.ts';
import { seededRandom } from '../random.ts';
import { type Machine, severalMachines } from '../several-machines.ts';

/*
 * Four machines take work of each kind from one log, at the same times. Some hold what they took until their lease is long over, as a process
 * that is stopped (SIGSTOP) and goes on, and then end it. The oracle is a ledger of leases by the clock of the log alone.
 */

const NAMES = ['one', 'two', 'three', 'four'] as const;
const LEASE_MS = 60_000;
/** A lease of news outlasts the attempt by 10 seconds. */
const TIMEOUT_MS = LEASE_MS - 10_000;
const HOUR_MS = 3_600_000;

export interface WorkRounds {
  readonly seed: number;
  readonly rounds: number;
}

export interface WorkFound {
  /** Leases that were given, and ends that counted. */
  readonly leased: number;
  readonly ended: number;
  /** Ends of a holder that was late, after another one had taken over. */
  readonly refused: number;
  /** What may not be: an id given while its lease lasted, an end that counted beside another holder, or twice. */
  readonly wrong: readonly string[];
  /** Rows that differ between the first machine and the others. */
  readonly differences: readonly string[];
}

/** What a machine holds. */
interface Held {
  readonly key: string;
  readonly untilMs: number;
  /** Ends it; false: nothing was written. */
  readonly end: () => Promise<boolean>;
}

const TERMS = termsOf({
  ...{ name: null, coolDownMinutes: 0, remindHours: 0, webhook: null, mail: null, heartbeat: null, allowHttp: false },
  causes: {},
});

export async function workOnce({ seed, rounds }: WorkRounds): Promise<WorkFound> {
  const random = seededRandom(seed);
  const several = await severalMachines();
  const { clock } = several;
  // The clocks of two are hours off, and the log does not know: the time of an entry decides.
  const clocks = [clock, clock, new FixedClock(START_MS + 3 * HOUR_MS), new FixedClock(START_MS - 5 * HOUR_MS)];
  const machines: Machine[] = NAMES.map((name, n) => several.machine(name, { clock: clocks[n] ?? clock }));
  const wrong: string[] = [];
  let [leased, ended, refused] = [0, 0, 0];
  /** By key: its latest lease. */
  const ledger = new Map<string, Held>();
  const done = new Set<string>();
  let late: Held[] = [];

  function take(held: Held, machine: string): void {
    leased++;
    const before = ledger.get(held.key);
    if (before !== undefined && before.untilMs > clock.ms)
      wrong.push(`${machine} got ${held.key} before its lease was over`);
    if (done.has(held.key)) wrong.push(`${machine} got ${held.key}, which is done`);
    ledger.set(held.key, held);
  }

  async function end(held: Held): Promise<void> {
    const counted = await held.end();
    if (!counted) refused++;
    else if (ledger.get(held.key) !== held)
      wrong.push(`an end of ${held.key} counted after another one had taken it over`);
    else {
      ended++;
      ledger.delete(held.key);
      if (/^(news|notice) /.test(held.key)) done.add(held.key);
    }
  }

  try {
    const inboxes = [];
    for (const machine of machines) inboxes.push(await machine.serve());
    const [first] = inboxes;
    if (first === undefined) throw new Error('No machine.');
    const target = {
      name: 'shop',
      environments: ['test'],
      kinds: ['refund'],
      when: 'received',
      news: 'every',
      events: null,
    } as const;
    await first.operations.outbox.plan({ targets: [target] });
    await first.operations.jobs.plan({ jobs: [{ job: 'sweep', schedule: '* * * * *', zone: 'UTC' }] });
    for (let round = 0; round < rounds; round++) {
      await Promise.all(inboxes.map((inbox, n) => inbox.keep(refund(`R${round}-${n}`, 'pending'))));
      await several.carriedOut(...machines);
      const taken = await Promise.all(
        inboxes.map(({ operations }, n) => takenBy(operations, { holder: NAMES[n] ?? '', round, nowMs: clock.ms })),
      );
      for (const [n, all] of taken.entries()) for (const held of all) take(held, NAMES[n] ?? '');
      const now = taken.flat().filter((held) => {
        if (random() < 0.6) return true;
        late.push(held);
        return false;
      });
      await Promise.all(now.map(end));
      const aheadMs = Math.floor(random() * 2.5 * LEASE_MS);
      for (const one of new Set(clocks)) one.ms += aheadMs;
      const comeBack = late.filter(() => random() < 0.4);
      late = late.filter((held) => !comeBack.includes(held));
      for (const held of comeBack) await end(held);
    }
    await several.carriedOut(...machines);
    const [one, ...others] = machines as [Machine, ...Machine[]];
    const differences = others.flatMap((other) => several.differences(one, other));
    return { leased, ended, refused, wrong, differences };
  } finally {
    await several.remove();
  }
}

/** What one machine gets of each kind of work. */
async function takenBy(
  operations: Operations,
  { holder, round, nowMs }: { holder: string; round: number; nowMs: number },
): Promise<Held[]> {
  const { checks, jobs, outbox, alerts } = operations;
  const filter = { kinds: ['refund'], environments: ['test'] } as const;
  const open = {
    name: 'shop',
    concurrency: 100,
    free: 5,
    timeoutMs: TIMEOUT_MS,
    includeBody: false,
    longestWaitMs: HOUR_MS,
  };
  const size = round + 1;
  const stuck = { cause: 'stuck', subject: `live ${round}`, size, facts: { records: size } } as const;
  await alerts.judge({ conditions: [stuck], scope: [], terms: TERMS, marks: {} });
  const [due, runs, news, notices] = await Promise.all([
    checks.lease({ filter, limit: 3, leaseMs: LEASE_MS }),
    jobs.leaseDue({ jobs: ['sweep'], holder, leaseMs: LEASE_MS }),
    outbox.exchange({ ended: [], open: [open] }),
    alerts.leaseNotices({ channels: ['log'], limit: 3, leaseMs: LEASE_MS }),
  ]);
  const retry = { firstMs: 5_000, maxMs: 60_000, giveUpMs: HOUR_MS };
  return [
    ...due.map(({ counter, kind, recordId, leasedUntilMs }) => ({
      key: `check ${recordId}`,
      untilMs: leasedUntilMs,
      end: async () => {
        const finished = { counter, kind, recordId, outcome: 'unavailable', answer: null, detail: null } as const;
        return (await checks.finish([finished]))[0]?.accepted === true;
      },
    })),
    ...runs.map(({ run, job, leasedUntilMs }) => ({
      key: `job ${job}`,
      untilMs: leasedUntilMs,
      end: () => jobs.finish({ run, job, outcome: 'done', detail: '' }),
    })),
    ...news.leased.map(({ webhookId, attempt, leasedUntilMs }) => ({
      key: `news ${webhookId}`,
      untilMs: leasedUntilMs,
      end: async () => {
        const facts = { webhookId, attempt, outcome: 'delivered', status: 200, detail: null, retry } as const;
        const { states } = await outbox.exchange({
          ended: [{ ...facts, retryAfterMs: null, holdsTarget: false }],
          open: [],
        });
        return states[0] !== null;
      },
    })),
    ...notices.map(({ id, attempt }) => ({
      key: `notice ${id}`,
      untilMs: nowMs + LEASE_MS,
      end: () => alerts.finishNotice({ id, attempt, error: null }),
    })),
  ];
}
