import { setTimeout as pause } from 'node:timers/promises';
import { FixedClock, START_MS } from '../fixed-clock.ts';
import { seededRandom } from '../random.ts';
import { type Machine, severalMachines } from '../several-machines.ts';
import { type Held, isDoneOnce, isFreeOnceGone, LEASE_MS } from './taken-work.ts';
import { Killed, KilledWorker, type Worker, workerHere } from './workers.ts';

/*
 * Four machines take work of each kind from one log, at the same times. Some hold what they took until their lease is long over, as a process
 * that is stopped (SIGSTOP) and goes on, and then end it. With `kills` each machine is a process, and one is killed (-9) in every round while it
 * takes or ends work. The oracle is a ledger of leases by the clock of the log alone.
 */

const NAMES = ['one', 'two', 'three', 'four'] as const;
const HOUR_MS = 3_600_000;
/** Longest time from the begin of what the machines do together to the kill of one: about as long as they take. */
const KILL_MS = 40;

export interface WorkRounds {
  readonly seed: number;
  readonly rounds: number;
  readonly kills?: boolean;
}

export interface WorkFound {
  /** Leases that were given, and ends that counted. */
  readonly leased: number;
  readonly ended: number;
  /** Ends of a holder that was late, after another one had taken over. */
  readonly refused: number;
  /** Kills before a machine said what it had taken, or whether an end had counted; and other kills. */
  readonly killedBetween: number;
  readonly killed: number;
  /** What may not be: an id given while its lease lasted, an end that counted beside another holder, or twice. */
  readonly wrong: readonly string[];
  /** Rows that differ between the first machine and the others. */
  readonly differences: readonly string[];
}

export async function workOnce({ seed, rounds, kills = false }: WorkRounds): Promise<WorkFound> {
  const random = seededRandom(seed);
  const several = await severalMachines();
  const { clock } = several;
  // The clocks of two are hours off, and the log does not know: the time of an entry decides.
  const clocks = [clock, clock, new FixedClock(START_MS + 3 * HOUR_MS), new FixedClock(START_MS - 5 * HOUR_MS)];
  const clockOf = (n: number) => clocks[n] ?? clock;
  const machines: Machine[] = NAMES.map((name, n) => several.machine(name, { clock: clockOf(n) }));
  const processes = machines.map((machine, n) => new KilledWorker(machine, several.served.path, clockOf(n)));
  const wrong: string[] = [];
  let [leased, ended, refused, killed, killedBetween] = [0, 0, 0, 0, 0];
  /** By key: its latest lease. */
  const ledger = new Map<string, { readonly held: Held; readonly machine: Worker }>();
  const done = new Set<string>();
  let late: Held[] = [];

  function take(held: Held, machine: Worker): void {
    leased++;
    if (isFreeOnceGone(held.key) && !machine.holds(held)) return; // it was killed in this round
    const holder = ledger.get(held.key);
    const isFree = holder !== undefined && isFreeOnceGone(held.key) && !holder.machine.holds(holder.held);
    const before = isFree ? undefined : holder?.held;
    if (before !== undefined && before.untilMs > clock.ms)
      wrong.push(`${machine.name} got ${held.key} before its lease was over`);
    if (done.has(held.key)) wrong.push(`${machine.name} got ${held.key}, which is done`);
    ledger.set(held.key, { held, machine });
  }

  async function end(held: Held): Promise<void> {
    const counted = await held.end().catch(ofKilled);
    if (counted === null) {
      // Its end may have counted: then a check or a job may be taken again at once, and news never.
      if (ledger.get(held.key)?.held === held && !isDoneOnce(held.key)) ledger.delete(held.key);
    } else if (counted === false) refused++;
    else if (counted === 'dead') return;
    else if (ledger.get(held.key)?.held !== held)
      wrong.push(`an end of ${held.key} counted after another one had taken it over`);
    else {
      ended++;
      ledger.delete(held.key);
      if (isDoneOnce(held.key)) done.add(held.key);
    }
  }

  /** Null: it may have done what it was told. */
  function ofKilled(error: unknown): null | 'dead' {
    if (!(error instanceof Killed)) throw error;
    if (!error.wasTold) return 'dead';
    killedBetween++;
    return null;
  }

  function ofNone(error: unknown): Held[] {
    ofKilled(error);
    return [];
  }

  /** Kills one machine while `work` is under way, and starts it again. */
  async function during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!kills) return work();
    const victim = processes[Math.floor(random() * processes.length)] as KilledWorker;
    const afterMs = random() * KILL_MS;
    const [result] = await Promise.all([
      work(),
      pause(afterMs).then(async () => {
        killed++;
        await victim.kill();
        await victim.start();
      }),
    ]);
    return result;
  }

  try {
    const workers: Worker[] = [];
    for (const [n, machine] of machines.entries()) {
      const process = processes[n] as KilledWorker;
      if (kills) await process.start();
      workers.push(kills ? process : await workerHere(machine));
    }
    for (let round = 0; round < rounds; round++) {
      await Promise.all(workers.map((worker, n) => worker.keep(`R${round}-${n}`)));
      await several.carriedOut(...machines);
      const isTaking = random() < 0.5;
      const takeAll = () => Promise.all(workers.map((worker) => worker.take(round, clock.ms).catch(ofNone)));
      const taken = isTaking ? await during(takeAll) : await takeAll();
      for (const [n, all] of taken.entries()) for (const held of all) take(held, workers[n] as Worker);
      const now = taken.flat().filter((held) => {
        if (random() < 0.6) return true;
        late.push(held);
        return false;
      });
      const endAll = () => Promise.all(now.map(end));
      await (isTaking ? endAll() : during(endAll));
      const aheadMs = Math.floor(random() * 2.5 * LEASE_MS);
      for (const one of new Set(clocks)) one.ms += aheadMs;
      const comeBack = late.filter(() => random() < 0.4);
      late = late.filter((held) => !comeBack.includes(held));
      for (const held of comeBack) await end(held);
    }
    await several.carriedOut(...machines);
    for (const process of processes) await process.kill();
    const [one, ...others] = machines as [Machine, ...Machine[]];
    const differences = others.flatMap((other) => several.differences(one, other));
    return { leased, ended, refused, killed, killedBetween, wrong, differences };
  } finally {
    for (const process of processes) await process.kill();
    await several.remove();
  }
}
