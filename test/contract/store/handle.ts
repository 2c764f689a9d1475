import type { Archive } from '../../../src/store/archive.ts';
import type { InboxOptions } from '../../../src/store/inbox.ts';
import type { OpenJournal } from '../../../src/store/library.ts';
import type { OpenInbox, OpenOperations, Store } from '../../../src/store/store.ts';

/** What one process has of a store: each part is opened at its first use, and once. */
export class Handle {
  readonly #open: () => Store;
  readonly #inboxOptions: InboxOptions;
  #store: Store | undefined;
  #inbox: Promise<OpenInbox> | undefined;
  #operations: Promise<OpenOperations> | undefined;
  #archive: Promise<Archive> | undefined;
  #journal: Promise<OpenJournal> | undefined;

  constructor(open: () => Store, inboxOptions: InboxOptions) {
    this.#open = open;
    this.#inboxOptions = inboxOptions;
  }

  get store(): Store {
    this.#store ??= this.#open();
    return this.#store;
  }

  inbox(): Promise<OpenInbox> {
    this.#inbox ??= this.store.inbox(this.#inboxOptions);
    return this.#inbox;
  }

  operations(): Promise<OpenOperations> {
    this.#operations ??= this.store.operations();
    return this.#operations;
  }

  archive(): Promise<Archive> {
    this.#archive ??= this.store.archive();
    return this.#archive;
  }

  journal(): Promise<OpenJournal> {
    this.#journal ??= this.store.requestJournal();
    return this.#journal;
  }

  /** Ends this process: every open part is closed. A later use opens it again. */
  async close(): Promise<void> {
    const parts = [this.#operations, this.#journal, this.#archive, this.#inbox];
    this.#operations = this.#journal = this.#archive = this.#inbox = undefined;
    for (const part of parts) await (await part)?.close();
  }
}
