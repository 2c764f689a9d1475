import type { Environment } from '../domain/environment.ts';
import { TallyhookError } from '../domain/error.ts';
import type { BackfillOutcome } from '../domain/list-walk.ts';
import type { ListedRefund, Recorded } from '../domain/listed-refund.ts';
import type { Client } from '../service/client.ts';
import { ListIncompleteError, ListLimitError } from '../service/errors/list-errors.ts';
import type { Judged } from '../store/backfills.ts';
import type { Cursor } from '../store/cursor.ts';
import { type BackfillResult, CREATED_SHOWN, type WalkResult } from './backfill-result.ts';
import { listRow } from './list-row.ts';
import { Pace } from './pace.ts';
import { PageRetry } from './page-retry.ts';
import type { CheckParts } from './parts.ts';

/** How to walk, and how far. */
export interface BackfillOrder {
  /** Environments without keys are left out. */
  readonly environments: readonly Environment[];
  /** Refunds without a record whose latest time is before this get none; null: all get one. */
  readonly sinceMs: number | null;
  /** Without `sinceMs`, absence is judged from this long before the last walk that covers (RELIABILITY P24). */
  readonly overlapMs: number;
  readonly maxPages: number;
  readonly maxRows: number;
  readonly maxMs: number;
  /** Pages per second at most; null: as fast as the answers come. */
  readonly perSecond: number | null;
  /** An outage this long ends the walk. */
  readonly giveUpMs: number;
  /** Walks, and writes nothing. */
  readonly dryRun: boolean;
}

export interface BackfillProgress {
  readonly environment: Environment;
  readonly rows: number;
  /** Rows in all, when the list has the number. */
  readonly total: number | null;
  /** Why the walk waits; null while it goes on. */
  readonly problem: string | null;
}

/** Rows in one transaction: a few milliseconds of the write lock, even when all of them are new. */
const GROUP = 64;

/**
 * Walks the service's list of refunds, the only list in the document (interface 4.4), and makes records of refunds that no
 * webhook reported; the sweep then checks their status. The list is walked to its end, because nothing promises its order.
 * Absence deletes or fails nothing; a refund that is missing from two complete walks in a row is a finding.
 *
 * @throws StoreError when rows cannot be kept
 */
export async function backfill(
  order: BackfillOrder,
  parts: CheckParts,
  onProgress: (progress: BackfillProgress) => void = () => {},
): Promise<BackfillResult> {
  const walks: WalkResult[] = [];
  for (const environment of order.environments) {
    const client = parts.clients.get(environment);
    if (client === undefined) continue;
    walks.push(await new Walk({ order, parts, client, environment, onProgress }).carryOut());
  }
  return { dryRun: order.dryRun, walks };
}

interface End {
  readonly outcome: BackfillOutcome;
  readonly detail: string | null;
}

/** Thrown in a callback of the list to end it. */
class CutShort extends Error {
  readonly end: End;

  constructor(end: End) {
    super(end.outcome);
    this.end = end;
  }
}

interface WalkOptions {
  readonly order: BackfillOrder;
  readonly parts: CheckParts;
  readonly client: Client;
  readonly environment: Environment;
  readonly onProgress: (progress: BackfillProgress) => void;
}

class Walk {
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
  #end: End = { outcome: 'complete', detail: null };

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
    for await (const row of this.#rows()) {
      this.#waiting.push(row);
      if (this.#waiting.length === GROUP) await this.#write(begun?.id ?? null);
    }
    // Rows read before an error are kept.
    await this.#write(begun?.id ?? null);
    await this.#writing;
    const { unreadable } = this.#counts;
    if (this.#end.outcome === 'complete' && unreadable > 0) this.#end = unreadableEnd(unreadable);
    const isComplete = this.#end.outcome === 'complete';
    if (begun !== null) {
      if (isComplete) await this.#judge(begun.id);
      await this.#finish(begun.id);
    }
    return {
      environment: this.#environment,
      ...this.#end,
      sinceMs: isComplete && begun !== null ? begun.sinceMs : null,
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
        onPage: (pages, total) => this.#afterPage(pages, total),
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
      this.#end = this.#endBy(error);
    }
  }

  #unreadable(): void {
    this.#counts.rows++;
    this.#counts.unreadable++;
  }

  async #afterPage(pages: number, total: number | null): Promise<void> {
    const { clock, signal, sleep } = this.#parts;
    this.#counts.pages = pages;
    this.#total = total ?? this.#total;
    this.#retry.worked();
    this.#report(null);
    if (clock.nowMs() - this.#startedAtMs > this.#order.maxMs) throw new CutShort(tooLong(this.#order.maxMs));
    await sleep(this.#pace.waitMs(clock.nowMs()), signal);
    this.#mayGoOn();
  }

  #mayGoOn(): void {
    if (this.#parts.signal.aborted) throw new CutShort(STOPPED);
  }

  /** An error of the client ends the walk; any other is a defect of this program. */
  #endBy(error: unknown): End {
    if (error instanceof CutShort) return error.end;
    if (!(error instanceof TallyhookError)) throw error;
    if (this.#parts.signal.aborted) return STOPPED;
    if (!(error instanceof ListIncompleteError)) return { outcome: 'failed', detail: error.message };
    // The error counts the client's unreadable rows only; unreadableEnd counts all.
    if (error.reason === 'unreadable') return { outcome: 'complete', detail: null };
    if (error instanceof ListLimitError) return beyond(error);
    return { outcome: 'failed', detail: error.message };
  }

  /** Resolves when there is room for more. */
  async #write(backfillId: number | null): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    this.#waiting = [];
    await this.#writing;
    this.#writing = this.#record(backfillId, rows);
    this.#writing.catch(() => {}); // the next await of #writing throws it
  }

  async #record(backfillId: number | null, rows: readonly ListedRefund[]): Promise<void> {
    const { backfills } = this.#parts.operations;
    const order = { rows, createSinceMs: this.#order.sinceMs ?? 0 };
    const recorded =
      backfillId === null
        ? await backfills.preview({ ...order, environment: this.#environment })
        : await backfills.record({ ...order, backfillId });
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

  async #finish(backfillId: number): Promise<void> {
    const { operations } = this.#parts;
    const { rows, unreadable, created } = this.#counts;
    await operations.backfills.finish({ backfillId, ...this.#end, rows, unreadable, created });
  }

  #report(problem: string | null): void {
    this.#onProgress({ environment: this.#environment, rows: this.#counts.rows, total: this.#total, problem });
  }
}

const STOPPED: End = { outcome: 'stopped', detail: 'stopped by a signal' };

function tooLong(maxMs: number): End {
  const minutes = Math.round(maxMs / 6_000) / 10;
  return { outcome: 'limited', detail: `The list did not end within ${minutes} minutes (backfill.maxMinutes).` };
}

function beyond({ limit, reached }: ListLimitError): End {
  const within = limit === 'pages' ? `${reached} pages (backfill.maxPages)` : `${reached} rows (backfill.maxRows)`;
  return { outcome: 'limited', detail: `The list did not end within ${within}.` };
}

function unreadableEnd(count: number): End {
  const what = count === 1 ? '1 row has' : `${count} rows have`;
  return { outcome: 'unreadable', detail: `${what} no usable reference or status.` };
}
