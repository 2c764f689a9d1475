import type { FromBooks, ToBooks } from '../sqlite/carry-out/messages.ts';
import type { SharedBooksOrder } from './open-books.ts';
import type { KeptUpTo } from './shared-log.ts';

/* What passes between the thread of the books over the shared log and the main thread, beside what passes on one machine. */

/** What the thread is started with. */
export interface SharedBooksData extends SharedBooksOrder {
  /** Names this process, for a person. */
  readonly holder: string;
  /** Whether to send what each delivery became, for the log. */
  readonly collected: boolean;
}

export type FromSharedBooks =
  | FromBooks
  /** The database is a copy of a snapshot now: the log is to be opened anew. */
  | { readonly type: 'joined_anew' };

/** The key pairs that this machine receives with. */
export type ToSharedBooks = ToBooks | { readonly type: 'keys'; readonly keys: readonly string[] };

/** How an append of deliveries ended: up to where the log keeps them, or why it was refused. */
export type AppendEnded =
  | { readonly kept: KeptUpTo; readonly refused: null }
  | { readonly kept: null; readonly refused: string };
