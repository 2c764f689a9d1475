import type { Environment } from '../domain/environment.ts';
import { RECORD_KINDS } from '../domain/records/lifecycle.ts';
import type { Checks } from '../store/checks.ts';
import type { RanJob, Schedule } from './schedule.ts';

/** Wait between two looks for due records. With `confirm.debounceSeconds` it bounds the time from a webhook to its check. */
const LOOK_MS = 1_000;

export interface EarlySweepParts {
  readonly checks: Pick<Checks, 'listDue'>;
  readonly schedule: Pick<Schedule, 'tick' | 'isRunning'>;
  /** Those that have a key, read at each look; the records of others cannot be checked. */
  readonly environments: () => readonly Environment[];
  readonly onFault: (error: unknown, doing: string) => void;
}

/**
 * Starts the scheduled sweep as soon as a record is due, so that news is confirmed within seconds and not at the next minute. It is the
 * job itself: one process holds it, with its limits and its circuit breaker. After a sweep that failed the schedule decides alone.
 */
export class EarlySweep {
  readonly #parts: EarlySweepParts;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #hasFailed = false;
  /** The run that began here. */
  #run: number | null = null;

  constructor(parts: EarlySweepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A job has ended in this process. Returns whether it was a sweep that began here. */
  ran({ run, outcome }: Pick<RanJob, 'run' | 'outcome'>): boolean {
    if (run.job === 'sweep') this.#hasFailed = outcome === 'failed';
    return run.run === this.#run;
  }

  async look(): Promise<void> {
    const { checks, schedule, environments, onFault } = this.#parts;
    if (this.#isLooking || this.#hasFailed || schedule.isRunning('sweep')) return;
    this.#isLooking = true;
    try {
      const filter = { kinds: RECORD_KINDS, environments: environments() };
      const due = await checks.listDue({ filter, limit: 1 });
      if (due.length === 0) return;
      const [begun] = (await schedule.tick(['sweep'])).filter(({ job }) => job === 'sweep');
      this.#run = begun?.run ?? null;
    } catch (error) {
      onFault(error, 'looking for due records');
    } finally {
      this.#isLooking = false;
    }
  }
}
