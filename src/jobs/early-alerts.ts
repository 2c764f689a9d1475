import type { ServeReport } from '../confirm/serve-report.ts';
import type { Schedule } from './schedule.ts';

/**
 * Starts the scheduled judgement of alerts as soon as an outage of keeping begins. One that was under way read its facts before, so
 * another follows it. Once per outage: what goes on is told by the schedule.
 */
export class EarlyAlerts {
  readonly #schedule: Pick<Schedule, 'tick' | 'isRunning'>;
  /** When the outage began that a judgement was started for. */
  #judgedMs: number | null = null;
  #outageMs: number | null = null;

  constructor(schedule: Pick<Schedule, 'tick' | 'isRunning'>) {
    this.#schedule = schedule;
  }

  /** What `serve` reports now. */
  async reported({ outage }: Pick<ServeReport, 'outage'>): Promise<void> {
    this.#outageMs = outage?.fromMs ?? null;
    await this.#judge();
  }

  /** A judgement of this process has ended. */
  ran(): Promise<void> {
    return this.#judge();
  }

  async #judge(): Promise<void> {
    const fromMs = this.#outageMs;
    if (fromMs === null || fromMs === this.#judgedMs || this.#schedule.isRunning('alerts')) return;
    this.#judgedMs = fromMs;
    await this.#schedule.tick(['alerts']);
  }
}
