import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import { requireBaseUrl } from '../config/required-keys.ts';
import { sweepOrderOf } from '../confirm/settings.ts';
import type { SweepResult } from '../confirm/sweep-result.ts';
import type { Operations } from '../store/operations.ts';
import type { Clock } from '../time/clock.ts';

export interface SweepsParts {
  readonly operations: Operations;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sweeps that the program of this process asks for, beside those of the schedule: the same as `tallyhook sweep`. */
export class Sweeps {
  readonly #config: Config;
  readonly #parts: SweepsParts;
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();
  readonly #running = new Set<Promise<SweepResult>>();

  constructor(config: Config, parts: SweepsParts) {
    this.#config = config;
    this.#parts = parts;
  }

  /** Checks every record that is due now. */
  sweep(): Promise<SweepResult> {
    const running = this.#sweep().finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Ends them: no further check is sent, and one without an answer is cut off half-way through the grace time. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const late = setTimeout(() => this.#cutOff.abort(), graceMs / 2);
    await Promise.allSettled(this.#running);
    clearTimeout(late);
  }

  async #sweep(): Promise<SweepResult> {
    requireBaseUrl(this.#config);
    const { operations, clock, log } = this.#parts;
    // Loaded here only: the client of the service takes some megabytes.
    const [{ checkParts }, { sweep }] = await Promise.all([
      import('../confirm/parts.ts'),
      import('../confirm/sweep.ts'),
    ]);
    const [signal, cutOff] = [this.#stopping.signal, this.#cutOff.signal];
    const onWarning = (text: string) => log.warn(text);
    const parts = await checkParts(this.#config, operations, { clock, signal, cutOff, onWarning });
    return sweep(sweepOrderOf(this.#config), parts);
  }
}
