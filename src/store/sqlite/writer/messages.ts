import type { MessagePort } from 'node:worker_threads';
import type { CheckRules } from '../../../domain/checks/next-check.ts';
import type { SharedTime } from '../../../time/clock.ts';
import type { Failure } from '../../error.ts';
import type { AppliedRecord, Delivery, Kept, Refusal, RefusalCount, WriterWork } from '../../inbox.ts';

/*
 * The messages between the main thread and the writer thread. A group of deliveries is one message with its bodies back to
 * back in one buffer that is moved, not copied: a message per request would cost more than the insert.
 */

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
  readonly auditKey: string;
  readonly time: SharedTime | undefined;
  /** Names this process, for a person. */
  readonly holder: string;
  /** Whether to say which records contents were applied to, for the log. */
  readonly collected: boolean;
}

export interface PackedDeliveries {
  readonly bodies: Uint8Array<ArrayBuffer>;
  /** Where each body ends in `bodies`. */
  readonly ends: readonly number[];
  readonly evidence: readonly Omit<Delivery, 'body'>[];
}

export interface KeepMessage {
  readonly type: 'keep';
  readonly packed: PackedDeliveries;
}

export type ToWriter =
  | KeepMessage
  | { readonly type: 'refusals'; readonly counts: readonly RefusalCount[]; readonly samples: readonly Refusal[] }
  /** The holder of the other end calls operations over it: see OperationCall. */
  | { readonly type: 'connect'; readonly port: MessagePort }
  | { readonly type: 'close' };

/** `kept` and `not_kept` answer the oldest unanswered deliveries, in the order of sending. */
export type FromWriter =
  /** The database is open. */
  | { readonly type: 'ready' }
  | { readonly type: 'kept'; readonly kept: readonly Kept[] }
  | { readonly type: 'not_kept'; readonly deliveries: number; readonly failure: Failure }
  | {
      readonly type: 'applied';
      readonly contents: number;
      readonly lagMs: number;
      readonly records: readonly AppliedRecord[];
    }
  /** Rows were written for targets: there is something to forward. */
  | { readonly type: 'news' }
  /** Work beside keeping failed and is tried again; null: it goes on. */
  | { readonly type: 'fault'; readonly work: WriterWork; readonly failure: Failure | null }
  /** The writer cannot open the database, or cannot go on. */
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'closed' };

export function pack(deliveries: readonly Delivery[]): PackedDeliveries {
  const size = deliveries.reduce((sum, { body }) => sum + body.byteLength, 0);
  const bodies = new Uint8Array(size);
  let end = 0;
  const ends: number[] = [];
  const evidence = deliveries.map(({ body, ...rest }) => {
    bodies.set(body, end);
    end += body.byteLength;
    ends.push(end);
    return rest;
  });
  return { bodies, ends, evidence };
}

export function unpack({ bodies, ends, evidence }: PackedDeliveries): Delivery[] {
  return evidence.map((rest, index) => ({ ...rest, body: bodies.subarray(ends[index - 1] ?? 0, ends[index]) }));
}
