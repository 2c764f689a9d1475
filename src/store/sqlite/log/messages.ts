import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../error.ts';
import type { Entry } from './entry.ts';

/** What the thread that appends is started with. */
export interface AppenderData {
  readonly file: string;
  readonly backlogBytes: number;
  readonly carriedOut: number;
  /** To the thread that carries out: it is told that entries wait, and says what it has carried out. */
  readonly books: MessagePort;
}

export type ToAppender =
  /** One at a time. `sinceMs`: when its first delivery began to wait, by `sharedMs`. */
  | { readonly type: 'append'; readonly entries: readonly Entry[]; readonly sinceMs: number }
  /** `forgets`: what the database says that it has carried out is true. */
  | { readonly type: 'close'; readonly forgets: boolean };

/** `appended` and `not_appended` answer the append: all of its entries are on disk, or none counts. */
export type FromAppender =
  | { readonly type: 'ready' }
  | { readonly type: 'appended' }
  | { readonly type: 'not_appended'; readonly failure: Failure }
  /** The lock, or the room, that the latest append lacked is there again. */
  | { readonly type: 'takes_again' }
  /** The log cannot be opened, or nothing may be acknowledged any more. */
  | { readonly type: 'failed'; readonly failure: Failure };

/** To the thread that carries out: entries wait; once until it answers. */
export type Appended = 'appended';
/** From it: the database has carried out every entry up to here, on disk. */
export interface CarriedOutUntil {
  readonly seq: number;
}
