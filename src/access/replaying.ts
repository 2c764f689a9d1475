import { ASK_BY_COMMAND, type GuardedAct } from '../domain/access/approval.ts';
import { MOST_ASKED_ROWS } from '../store/approvals.ts';
import type { Archive } from '../store/archive.ts';
import { type Cursor, type Stretch, walk } from '../store/cursor.ts';
import { StoreError } from '../store/error.ts';
import type { EventFilter } from '../store/events.ts';
import type { Outbox } from '../store/outbox.ts';

/** Events per transaction: it holds the write lock. */
const AT_ONCE = 100;

export interface ReplayParts {
  readonly archive: Pick<Archive, 'nextEvents' | 'eventEnd' | 'approvalRules'>;
  readonly outbox: Pick<Outbox, 'replay'>;
  readonly target: string;
  readonly filter: EventFilter;
  readonly by: string;
  /** Ends it after the present events; what is written is handed on. */
  readonly signal: AbortSignal;
  /** How many records or events were looked at. */
  readonly onProgress: (matched: number) => void;
}

/** News about chosen events, handed on again: counted first, then written. Nothing is applied again. */
export class EventReplay {
  readonly #parts: ReplayParts;
  /** By the record, or the event of a `received` target: whether news of it is written. */
  readonly #written = new Map<string, boolean>();
  readonly #chosen: number[] = [];
  /** Where the events ended when this began. */
  #end: Cursor | null = null;

  constructor(parts: ReplayParts) {
    this.#parts = parts;
  }

  get matched(): number {
    return this.#written.size;
  }

  get changed(): number {
    return [...this.#written.values()].filter((isWritten) => isWritten).length;
  }

  /** The events of a request; one more than a request may hold shows that there are too many. */
  get chosen(): readonly number[] {
    return this.#chosen;
  }

  /** Counts what would be handed on. */
  look(): Promise<void> {
    return this.#walk(true);
  }

  /** Hands it on. @throws StoreError `not_approved` when it needs a second person */
  async handOn(): Promise<void> {
    const { replayRows } = await this.#parts.archive.approvalRules();
    if (replayRows !== null) {
      await this.look();
      expectWithin('replay', this.changed, replayRows);
    }
    await this.#walk(false);
  }

  async #walk(dryRun: boolean): Promise<void> {
    const { archive, outbox, target, filter, by, signal, onProgress } = this.#parts;
    this.#end ??= await archive.eventEnd();
    this.#written.clear();
    this.#chosen.length = 0;
    const read = (stretch: Stretch) => archive.nextEvents(filter, stretch);
    let replay: number | null = null;
    for await (const { events } of walk(read, { after: null, until: this.#end, limit: AT_ONCE })) {
      const eventIds = events.map(({ id }) => id);
      const part = await outbox.replay({ target, replay, eventIds, dryRun, by });
      replay = part.replay;
      for (const one of part.events) this.#written.set(one.key, one.written);
      if (this.#chosen.length <= MOST_ASKED_ROWS) this.#chosen.push(...eventIds);
      onProgress(this.matched);
      if (signal.aborted) return;
    }
  }
}

/**
 * Refuses what is done in several transactions as a whole, before the first one: the store would refuse a later one.
 *
 * @throws StoreError `not_approved`. `limit`: of the rules; null: there is none
 */
export function expectWithin(act: GuardedAct, rows: number, limit: number | null): void {
  if (limit === null || rows <= limit) return;
  throw new StoreError(
    'not_approved',
    `This needs a second person: ${act} of ${rows} rows; ${limit} a day need none.`,
    { hint: ASK_BY_COMMAND },
  );
}
