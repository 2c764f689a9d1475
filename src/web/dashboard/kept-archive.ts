import type { Archive } from '../../store/archive.ts';
import { StoreError } from '../../store/error.ts';
import type { Store } from '../../store/store.ts';

/**
 * The archive of the dashboard's thread: opened by the first page, kept for the next ones, and opened anew after a failure, because the
 * database may have been restored, migrated, or put back; and once another file is at its path, or none: the one that is open is not looked at any more.
 */
export class KeptArchive {
  readonly #store: Pick<Store, 'archive' | 'identity'>;
  #opened: Promise<Archive> | null = null;
  /** Of the file that was opened. */
  #identity: string | null = null;
  /** Reads as an archive does; each call opens it if need be. */
  readonly reading: Archive;

  constructor(store: Pick<Store, 'archive' | 'identity'>) {
    this.#store = store;
    this.reading = new Proxy({} as Archive, {
      // Without `then`, so that `await` takes it for a value and not for a promise.
      get: (_, name) => (name === 'then' ? undefined : (...input: unknown[]) => this.#read(name, input)),
    });
  }

  /** The next page opens it anew, unless the failure has nothing to do with it. */
  afterFailure(error: unknown): void {
    if (!(error instanceof StoreError) || error.fault === 'not_allowed' || error.fault === 'not_proven') return;
    void this.close();
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await opened?.then((archive) => archive.close()).catch(() => {});
  }

  async #read(name: PropertyKey, input: readonly unknown[]): Promise<unknown> {
    const archive = (await this.#open()) as unknown as Record<PropertyKey, (...input: unknown[]) => unknown>;
    return archive[name]?.(...input);
  }

  #open(): Promise<Archive> {
    const identity = this.#store.identity();
    if (identity !== this.#identity) void this.close();
    this.#identity = identity;
    this.#opened ??= this.#store.archive().catch((error) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }
}
