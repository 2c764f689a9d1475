import type { Workplace } from '../workplace.ts';
import type { EventSource } from './request-file.ts';

/** Settings and tools shared by all parts of the benchmark. */
export interface Bench {
  readonly workplace: Workplace;
  readonly events: EventSource;
  /** Length of one measurement. */
  readonly seconds: number;
  readonly rounds: number;
  /** Events of the end-to-end part. */
  readonly endToEndEvents: number;
  readonly carryOutSeconds: number;
  /** How long the part `sustained` offers its rate, and which share of the rate of `bare` that is. */
  readonly sustainedSeconds: number;
  readonly share: number;
  /** How long the part `locked` holds the lock. */
  readonly lockedSeconds: number;
  readonly progress: (text: string) => void;
}
