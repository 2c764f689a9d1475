import type { Environment } from '../../domain/environment.ts';
import { type PayloadDecoder, readEvent } from '../../domain/event.ts';
import type { KeptContent, RecordObservation } from '../store.ts';
import type { Database } from './database.ts';
import { recordLog } from './record-log.ts';

type Source = KeptContent['source'];

/** How many contents may wait in memory; beyond, they are read back from the database. */
const REMEMBERED = 1_024;

/** Contents looked at in one step, and read back at once. */
const READ_AHEAD = 256;

interface ContentRow {
  id: number;
  event_id: number;
  environment: Environment;
  received_at: number;
  body: Buffer;
}

export interface Applied {
  readonly contents: number;
  /** When the last of them was received; null when there was nothing to apply. */
  readonly lastReceivedAtMs: number | null;
}

export interface ApplyLogOptions {
  readonly decode?: PayloadDecoder | undefined;
  readonly debounceMs?: number;
}

/**
 * Turns kept contents into observations, in the order of their ids. Progress is written in the transaction that applies,
 * so after a crash it goes on exactly where the records are; and a content applied twice changes nothing.
 */
export function applyLog(
  database: Database,
  observationOf: (content: KeptContent) => RecordObservation | null,
  { decode, debounceMs = 0 }: ApplyLogOptions = {},
) {
  const records = recordLog(database, { debounceMs });
  const progress = database.prepare<[Source], number>('SELECT last_id FROM apply_progress WHERE source = ?').pluck();
  const advance = database.prepare<[number, Source]>('UPDATE apply_progress SET last_id = ? WHERE source = ?');
  const nextOf = {
    events: database.prepare<[number, number], ContentRow>(`
      SELECT id, id AS event_id, environment, received_at, body FROM events WHERE id > ? ORDER BY id LIMIT ?`),
    variants: database.prepare<[number, number], ContentRow>(`
      SELECT variants.id, event_id, environment, variants.received_at, variants.body
      FROM variants JOIN events ON events.id = event_id WHERE variants.id > ? ORDER BY variants.id LIMIT ?`),
  };
  const remembered: Record<Source, KeptContent[]> = { events: [], variants: [] };

  /** What comes next, at most READ_AHEAD. Ids have no gaps, so the queue serves exactly while it goes on from there. */
  function next(source: Source): KeptContent[] {
    const lastId = progress.get(source) ?? 0;
    const queue = remembered[source];
    const done = queue.findIndex(({ id }) => id > lastId);
    queue.splice(0, done < 0 ? queue.length : done);
    if (queue[0]?.id !== lastId + 1) {
      const read = nextOf[source].all(lastId, READ_AHEAD).map((row) => contentFromRow(source, row, decode));
      queue.splice(0, queue.length, ...read);
    }
    return contiguous(queue);
  }

  /** The longest beginning that is about no more than `records` records, as the observations of each. */
  function take(contents: readonly KeptContent[], records: number) {
    const groups = new Map<string, RecordObservation[]>();
    let last: KeptContent | undefined;
    let count = 0;
    for (const content of contents) {
      const observation = observationOf(content);
      if (observation !== null) {
        const key = `${observation.kind} ${observation.environment} ${observation.reference}`;
        const group = groups.get(key);
        if (group === undefined && groups.size === records) break;
        if (group === undefined) groups.set(key, [observation]);
        else group.push(observation);
      }
      last = content;
      count++;
    }
    return { groups: [...groups.values()], last, count };
  }

  return {
    /** Hands over what was just kept, so that applying it need not read and parse it again. */
    remember(content: KeptContent): void {
      const queue = remembered[content.source];
      if (queue.length < REMEMBERED) queue.push(content);
    },

    /**
     * Applies what comes next of each source, for at most `limit` records: contents of one record share one fold, so
     * that thousands of events about one reference do not cost thousands of folds. The caller holds the transaction.
     */
    applyNext(limit: number, nowMs: number): Applied {
      let [contents, lastReceivedAtMs]: [number, number | null] = [0, null];
      for (const source of ['events', 'variants'] as const) {
        const { groups, last, count } = take(next(source), limit);
        if (last === undefined) continue;
        for (const group of groups) records.observe(group, nowMs);
        advance.run(last.id, source);
        contents += count;
        lastReceivedAtMs = last.receivedAtMs;
      }
      return { contents, lastReceivedAtMs };
    },
  };
}

function contentFromRow(source: Source, row: ContentRow, decode: PayloadDecoder | undefined): KeptContent {
  return {
    source,
    id: row.id,
    eventId: row.event_id,
    environment: row.environment,
    event: readEvent(row.body, row.environment, decode),
    receivedAtMs: row.received_at,
  };
}

function contiguous(queue: readonly KeptContent[]): KeptContent[] {
  const first = queue[0]?.id ?? 0;
  const end = queue.findIndex((content, index) => index === READ_AHEAD || content.id !== first + index);
  return queue.slice(0, end < 0 ? queue.length : end);
}
