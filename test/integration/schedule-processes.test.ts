import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { openOperations } from '../support/operations.ts';
import { fork } from '../support/processes.ts';
import type { FromSchedule, ToSchedule } from '../support/schedule-process.ts';
import { EXACT } from '../support/sweeping.ts';
import { START_MS, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

// Real processes on one database, each with a schedule.

const MINUTE_MS = 60_000;
const MINUTES = 15;
/** Renewed four times in its time: no machine is so slow that a living process misses all of them. */
const LEASE_MS = 4_000;

let db: TestDatabase;
const children = new Set<ChildProcess>();
beforeEach(() => {
  db = new TestDatabase();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  db.remove();
});

class ScheduleProcess {
  readonly child: ChildProcess;
  readonly ran: Extract<FromSchedule, { did: 'ran' }>[] = [];
  readonly #ticked: (readonly number[])[] = [];

  /** By the real clock, or with `fixed` by the one that each tick brings. */
  constructor(leaseMs: number, ...fixed: readonly 'fixed'[]) {
    this.child = fork(packageFile('test/support/schedule-process.ts'), [db.path, String(leaseMs), ...fixed]);
    children.add(this.child);
    this.child.on('message', (message: FromSchedule) => {
      if (message.did === 'ran') this.ran.push(message);
      else this.#ticked.push(message.runs);
    });
  }

  /** Starts due jobs, by this clock or the real one; returns the runs that began. */
  async tick(nowMs: number | null = null): Promise<readonly number[]> {
    this.send({ do: 'tick', nowMs });
    await until(() => this.#ticked.length > 0, 'the process has ticked'); // a run may end at the same time
    return this.#ticked.shift() ?? [];
  }

  send(message: ToSchedule): void {
    this.child.send(message);
  }

  /** Ticks until a run begins. */
  async begin(): Promise<number> {
    let runs: readonly number[] = [];
    await until(async () => {
      runs = await this.tick();
      return runs.length > 0;
    }, 'a run begins');
    return runs[0] as number;
  }
}

async function plan(nowMs: number): Promise<void> {
  const operations = openOperations(db.path, EXACT, new FixedClock(nowMs));
  await operations.jobs.plan({ jobs: [{ job: 'sweep', schedule: '* * * * *', zone: 'UTC' }] });
  await operations.close();
}

/** As if the lease of the run had not been renewed for its whole time. */
const endLease = () => db.database.exec('UPDATE jobs SET leased_until = 1');
const leasedUntil = () => db.database.prepare<[], number>('SELECT leased_until FROM jobs').pluck().get() ?? 0;
const rows = () => db.database.prepare('SELECT run, outcome, planned_at FROM job_runs ORDER BY run').all();

test('two processes tick every minute for a quarter of an hour: each due run begins in one of them, once', async () => {
  await plan(START_MS);
  const processes = [new ScheduleProcess(MINUTE_MS, 'fixed'), new ScheduleProcess(MINUTE_MS, 'fixed')];
  const runs: number[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    const nowMs = START_MS + minute * MINUTE_MS;
    const began = await Promise.all(processes.map((one) => one.tick(nowMs)));
    expect(began.flat()).toHaveLength(1);
    runs.push(...began.flat());
    for (const [index, one] of processes.entries()) if ((began[index] ?? []).length > 0) one.send({ do: 'end' });
    await until(() => processes.reduce((sum, { ran }) => sum + ran.length, 0) === minute, 'the run ends');
  }
  expect(runs).toEqual(Array.from({ length: MINUTES }, (_, index) => index + 1));
  const recorded = rows() as { outcome: string; planned_at: number }[];
  expect(new Set(recorded.map(({ planned_at: at }) => at)).size).toBe(MINUTES);
  expect(new Set(recorded.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
});

test('kill -9 in the middle of a run: when its lease is over another process runs the job', async () => {
  await plan(Date.now() - 3 * MINUTE_MS);
  const [victim, heir] = [new ScheduleProcess(MINUTE_MS), new ScheduleProcess(MINUTE_MS)];
  expect(await victim.begin()).toBe(1);
  expect(await heir.tick()).toEqual([]);
  victim.child.kill('SIGKILL');
  await once(victim.child, 'exit');
  endLease();
  expect(await heir.begin()).toBe(2);
  heir.send({ do: 'end' });
  await until(() => heir.ran.length === 1, 'the heir has run');
  const [lost, good] = rows() as { outcome: string; planned_at: number }[];
  expect([lost?.outcome, good?.outcome]).toEqual(['lost', 'done']);
  expect(good?.planned_at).toBe(lost?.planned_at);
});

test('SIGSTOP past the lease, SIGCONT after another has taken over: the zombie is aborted, and writes nothing', async () => {
  await plan(Date.now() - 3 * MINUTE_MS);
  const [zombie, heir] = [new ScheduleProcess(LEASE_MS), new ScheduleProcess(LEASE_MS)];
  await zombie.begin();
  zombie.child.kill('SIGSTOP');
  endLease();
  expect(await heir.begin()).toBe(2);
  zombie.child.kill('SIGCONT');
  await until(() => zombie.ran.length === 1, 'the zombie ends');
  expect(zombie.ran).toEqual([{ did: 'ran', run: 1, outcome: 'stopped', accepted: false }]);
  expect(rows()).toMatchObject([{ outcome: 'lost' }, { outcome: null }]);
  heir.send({ do: 'end' });
  await until(() => heir.ran.length === 1, 'the heir has run');
  expect(heir.ran).toMatchObject([{ run: 2, outcome: 'done', accepted: true }]);
  expect(rows()).toMatchObject([{ outcome: 'lost' }, { outcome: 'done' }]);
});

test('a run that lasts longer than its lease is not taken over', async () => {
  await plan(Date.now() - 3 * MINUTE_MS);
  const [long, other] = [new ScheduleProcess(LEASE_MS), new ScheduleProcess(LEASE_MS, 'fixed')];
  await long.begin();
  const first = leasedUntil();
  await until(() => leasedUntil() > first, 'the lease is renewed');
  expect(await other.tick(first)).toEqual([]); // when the first lease is over
  long.send({ do: 'end' });
  await until(() => long.ran.length === 1, 'it ends');
  expect(long.ran).toMatchObject([{ outcome: 'done', accepted: true }]);
});
