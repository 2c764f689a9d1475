import type { Credential } from '../domain/access/proof.ts';
import type { Timed } from '../time/clock.ts';

/** A process, by its machine and its number there. */
export interface ProcessName {
  readonly machine: string;
  readonly pid: number;
}

/** The process that asks for a write, and what it sees of other processes: a write itself cannot look. */
export interface Caller extends ProcessName {
  /** True when that process is certainly no more; false on another machine, where the caller cannot know it. */
  readonly isGone: (process: ProcessName) => boolean;
}

/**
 * What a write knows beside its input and the database. It is drawn before the write begins: a write reads no clock, no process and
 * nothing random, so that carrying it out again, by another process on another machine, writes the same rows.
 */
export interface Drawn extends Timed {
  readonly caller: Caller;
}

/** The same for a call that may hold the act of a person. */
export interface DrawnCall extends Drawn {
  /** Proves whose acts these are; null: nothing was given. */
  readonly credential: Credential | null;
}
