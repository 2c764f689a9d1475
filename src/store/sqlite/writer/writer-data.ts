import type { CheckRules } from '../../../domain/next-check.ts';
import type { SharedTime } from '../../../time/clock.ts';

/** What the thread is started with. */
export interface WriterData {
  readonly path: string;
  /** IANA time zone of times without one (decision 87). */
  readonly zone: string;
  /** For a merchant with payload encryption (decision 86); as text, because a Secret cannot be sent to a thread. */
  readonly encryption: { readonly keyHex: string; readonly ivHex: string } | null;
  /** News makes a record due this many milliseconds later. */
  readonly debounceMs: number;
  readonly checkRules: CheckRules;
  readonly time: SharedTime | undefined;
  /** Names this process, for a person. */
  readonly holder: string;
  /** Whether to say which records contents were applied to, for the log. */
  readonly collected: boolean;
}
