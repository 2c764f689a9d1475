import { FIRST_PAGE, outcomeAtEnd } from '../domain/checks/list-walk.ts';
import type { ListedRefund, Recorded } from '../domain/checks/listed-refund.ts';
import type { Environment } from '../domain/environment.ts';
import type { Client } from '../service/client.ts';
import { ListIncompleteError, ListLimitError } from '../service/errors/list-errors.ts';
import type { Judged } from '../store/backfills.ts';
import type { Cursor } from '../store/cursor.ts';
import type { BackfillOrder, BackfillProgress } from './backfill-order.ts';
import { CREATED_SHOWN, type WalkResult } from './backfill-result.ts';
import { listRow } from './list-row.ts';
import { Pace } from './pace.ts';
import { PageRetry } from './page-retry.ts';
import type { CheckParts } from './parts.ts';
import { CutShort, detailAtEnd, endBy, STOPPED, tooLong, type WalkEnd } from './walk-end.ts';

/** Rows in one transaction: a few milliseconds of the write lock, even when all of them are new. */
const GROUP = 64;

/** One walk: what to do, with what, and who follows it. */
export interface WalkOptions {
  readonly order: BackfillOrder;
  readonly parts: CheckParts;
  readonly client: Client;
  readonly environment: Environment;
  readonly onProgress: (progress: BackfillProgress) => void;
}

/** One walk along the list of refunds of one environment, from the page that the store names to the end. */
export class Walk {
  readonly #order: BackfillOrder;
  readonly #parts: CheckParts;
  readonly #client: Client;
  readonly #environment: Environment;
  readonly #onProgress: WalkOptions['onProgress'];
  readonly #startedAtMs: number;
  readonly #pace: Pace;
  readonly #retry: PageRetry;
  readonly #counts = {
    pages: 0,
    rows: 0,
    created: 0,
    known: 0,
    news: 0,
    older: 0,
    unreadable: 0,
    missed: 0,
    absent: 0,
  };
  readonly #createdReferences: string[] = [];
  /** Read and not yet written. */
  #waiting: ListedRefund[] = [];
  /** The group before them: it is written while the next one is read. */
  #writing: Promise<void> = Promise.resolve();
  #total: number | null = null;
  /** Where it began, and the last page whose rows were all given. */
  #firstPage = FIRST_PAGE;
  #lastPage: string | null = null;
  /** Null at the end of the list. */
  #end: WalkEnd | null = null;

  constructor({ order, parts, client, environment, onProgress }: WalkOptions) {
    this.#order = order;
    this.#parts = parts;
    this.#client = client;
    this.#environment = environment;
    this.#onProgress = onProgress;
    this.#startedAtMs = parts.clock.nowMs();
    this.#pace = new Pace(order.perSecond);
    this.#pace.waitMs(this.#startedAtMs); // the first page's place
    this.#retry = new PageRetry(parts, order.giveUpMs, (problem) => this.#report(problem));
  }

  async carryOut(): Promise<WalkResult> {
    const { operations } = this.#parts;
    const { dryRun, sinceMs, overlapMs } = this.#order;
    const plan = { environment: this.#environment, sinceMs, overlapMs };
    const begun = dryRun ? null : await operations.backfills.begin(plan);
    this.#firstPage = begun?.firstPage ?? FIRST_PAGE;
    for await (const row of this.#rows()) {
      this.#waiting.push(row);
      if (this.#waiting.length === GROUP) await this.#write(begun?.id ?? null);
    }
    // Rows read before an error are kept.
    await this.#write(begun?.id ?? null);
    await this.#writing;
    const end = this.#end ?? this.#endOfList();
    const isComplete = end.outcome === 'complete';
    if (begun !== null) {
      if (isComplete) await this.#judge(begun.id);
      await this.#finish(begun.id, end);
    }
    return {
      environment: this.#environment,
      ...end,
      sinceMs: isComplete && begun !== null ? begun.sinceMs : null,
      firstPage: this.#firstPage,
      ...this.#counts,
      createdReferences: this.#createdReferences,
      tookMs: this.#parts.clock.nowMs() - this.#startedAtMs,
    };
  }

  /** Yields the rows of the list; then `#end` has how it ended. */
  async *#rows(): AsyncGenerator<ListedRefund, void, undefined> {
    const { maxPages, maxRows } = this.#order;
    try {
      this.#mayGoOn();
      const refunds = this.#client.refunds.list({
        maxPages,
        maxItems: maxRows,
        from: this.#firstPage,
        onPage: (pages, total, query) => this.#afterPage(pages, total, query),
        onUnreadable: () => this.#unreadable(),
        retry: (error) => this.#retry.again(error),
      });
      for await (const { wire } of refunds) {
        const row = listRow(wire, this.#environment, this.#parts.zone);
        if (row === null) this.#unreadable();
        else {
          this.#counts.rows++;
          yield row;
        }
      }
    } catch (error) {
      const end = endBy(error, this.#retry.failures);
      // It came to an end that is none, so there is no page to go on with.
      if (error instanceof ListIncompleteError && !(error instanceof ListLimitError)) this.#lastPage = null;
      this.#end = this.#parts.signal.aborted && end?.outcome === 'failed' ? STOPPED : end;
    }
  }

  #unreadable(): void {
    this.#counts.rows++;
    this.#counts.unreadable++;
  }

  async #afterPage(pages: number, total: number | null, query: string): Promise<void> {
    const { clock, signal, sleep } = this.#parts;
    this.#counts.pages = pages;
    this.#lastPage = query;
    // The rest of a list has no total.
    if (this.#firstPage === FIRST_PAGE) this.#total = total ?? this.#total;
    this.#retry.worked();
    this.#report(null);
    if (clock.nowMs() - this.#startedAtMs > this.#order.maxMs) throw new CutShort(tooLong(this.#order.maxMs));
    await sleep(this.#pace.waitMs(clock.nowMs()), signal);
    this.#mayGoOn();
  }

  #mayGoOn(): void {
    if (this.#parts.signal.aborted) throw new CutShort(STOPPED);
  }

  #endOfList(): WalkEnd {
    const { unreadable } = this.#counts;
    const outcome = outcomeAtEnd(this.#firstPage, unreadable);
    return { outcome, detail: detailAtEnd(outcome, this.#firstPage, unreadable) };
  }

  /** With `--since` older refunds get no record, so a later walk must not go on behind them. */
  get #resumablePage(): string | null {
    return this.#order.sinceMs === null ? this.#lastPage : null;
  }

  /** Resolves when there is room for more. */
  async #write(backfillId: number | null): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    this.#waiting = [];
    await this.#writing;
    this.#writing = this.#record(backfillId, rows, this.#resumablePage);
    this.#writing.catch(() => {}); // the next await of #writing throws it
  }

  async #record(backfillId: number | null, rows: readonly ListedRefund[], lastPage: string | null): Promise<void> {
    const { backfills } = this.#parts.operations;
    const order = { rows, createSinceMs: this.#order.sinceMs ?? 0 };
    const recorded =
      backfillId === null
        ? await backfills.preview({ ...order, environment: this.#environment })
        : await backfills.record({ ...order, backfillId, lastPage });
    this.#add(recorded);
  }

  #add({ created, known, news, older }: Recorded): void {
    this.#counts.created += created.length;
    this.#counts.known += known;
    this.#counts.news += news;
    this.#counts.older += older;
    this.#createdReferences.push(...created.slice(0, CREATED_SHOWN - this.#createdReferences.length));
  }

  /** Ignores the signal: judging is quick, and a partial count would look complete. */
  async #judge(backfillId: number): Promise<void> {
    const { operations } = this.#parts;
    let after: Cursor | null = null;
    do {
      const judged: Judged = await operations.backfills.judge({ backfillId, after });
      this.#counts.missed += judged.missed;
      this.#counts.absent += judged.absent;
      after = judged.next;
    } while (after !== null);
  }

  async #finish(backfillId: number, end: WalkEnd): Promise<void> {
    const { operations } = this.#parts;
    const { rows, unreadable, created } = this.#counts;
    const lastPage = this.#resumablePage;
    await operations.backfills.finish({ backfillId, ...end, rows, unreadable, created, lastPage });
  }

  #report(problem: string | null): void {
    this.#onProgress({ environment: this.#environment, counts: { ...this.#counts }, total: this.#total, problem });
  }
}
