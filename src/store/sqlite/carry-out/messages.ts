import type { MessagePort } from 'node:worker_threads';
import type { CheckRules } from '../../../domain/checks/next-check.ts';
import type { SharedTime } from '../../../time/clock.ts';
import type { SharedDeadline } from '../../../time/deadline.ts';
import type { Failure } from '../../error.ts';
import type { BooksWork, CarriedDelivery, CarriedOut, ObservedRecord, Refusal, RefusalCount } from '../../inbox.ts';

/** How the log is carried out: the same in `serve` and in every command. As text, because a Secret cannot be sent to a thread. */
export interface CarryOutData {
  /** IANA time zone of times without one (decision 87). */
  readonly zone: string;
  /** For a merchant with payload encryption (decision 86). */
  readonly encryption: { readonly keyHex: string; readonly ivHex: string } | null;
  /** News makes a record due this many milliseconds later. */
  readonly debounceMs: number;
}

/** What the thread of the books is started with. */
export interface BooksData extends CarryOutData {
  readonly path: string;
  readonly checkRules: CheckRules;
  readonly auditKey: string;
  readonly time: SharedTime | undefined;
  /** Set when the process begins to stop. */
  readonly deadline?: SharedDeadline | undefined;
  /** Names this process, for a person. */
  readonly holder: string;
  /** Whether to send what each delivery became, for the log. */
  readonly collected: boolean;
  /** Whether carrying out begins with the message `carry_out`, and not at once. */
  readonly waits: boolean;
}

export type ToBooks =
  /** The end of the thread that appends, once the log is open. */
  | { readonly type: 'appender'; readonly port: MessagePort }
  | { readonly type: 'carry_out' }
  | { readonly type: 'refusals'; readonly counts: readonly RefusalCount[]; readonly samples: readonly Refusal[] }
  /** The holder of the other end calls operations over it: see OperationCall. */
  | { readonly type: 'connect'; readonly port: MessagePort }
  | { readonly type: 'close' };

export type FromBooks =
  /** The books are open, and so far is their log carried out. */
  | { readonly type: 'ready'; readonly log: string; readonly carriedOut: number }
  | {
      readonly type: 'carried_out';
      readonly carried: CarriedOut;
      /** Empty unless they are collected. */
      readonly deliveries: readonly CarriedDelivery[];
      readonly records: readonly ObservedRecord[];
    }
  /** The thread ends, and so many deliveries of the log are not carried out. */
  | { readonly type: 'left'; readonly deliveries: number }
  /** Rows were written for targets: there is something to forward. */
  | { readonly type: 'news' }
  /** Work failed and is tried again; null: it goes on. */
  | { readonly type: 'fault'; readonly work: BooksWork; readonly failure: Failure | null }
  /** The thread cannot open the books, or cannot go on. */
  | { readonly type: 'failed'; readonly failure: Failure };
