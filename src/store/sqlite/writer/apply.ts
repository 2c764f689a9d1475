import type { Environment } from '../../../domain/environment.ts';
import { type PayloadDecoder, readEvent } from '../../../domain/events/event.ts';
import type { KeptContent } from '../../../domain/events/webhook-observation.ts';
import type { RecordObservation } from '../../../domain/records/observation.ts';
import type { AppliedRecord } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';
import { recordWrites } from '../write/records.ts';
import { Backlog, type Waiting } from './apply-backlog.ts';
import { contradictingContents } from './contradicting-contents.ts';

type Source = KeptContent['source'];

/** Most contents per step, so that thousands about one record do not make one step. */
const STEP_CONTENTS = 256;

interface ContentRow {
  id: number;
  event_id: number;
  environment: Environment;
  received_at: number;
  body: Buffer;
}

export interface Applied {
  readonly contents: number;
  /** When the last of them was received; null without contents. */
  readonly lastReceivedAtMs: number | null;
  /** Empty unless they are `collected`. */
  readonly records: readonly AppliedRecord[];
}

export interface ApplierOptions {
  readonly decode?: PayloadDecoder | undefined;
  readonly debounceMs?: number;
  /** Whether `applyNext` says which records it applied to, for the log. */
  readonly collected?: boolean;
}

/**
 * Turns kept contents into observations, in the order of their ids. Progress is written in the same transaction, so applying
 * continues after a crash where the records are; a content applied twice changes nothing.
 */
export function contentApplier(
  database: Database,
  observationOf: (content: KeptContent) => RecordObservation | null,
  { decode, debounceMs = 0, collected = false }: ApplierOptions = {},
) {
  const records = recordWrites(database, { debounceMs });
  const progress = database.prepare<[Source], number>('SELECT last_id FROM apply_progress WHERE source = ?').pluck();
  const advance = database.prepare<[number, Source]>('UPDATE apply_progress SET last_id = ? WHERE source = ?');
  // `+?` and a literal limit: with bare parameters the engine would plan these again at each call, at ten times the cost.
  const nextOf = {
    events: database.prepare<[number], ContentRow>(`
      SELECT id, id AS event_id, environment, received_at, body
      FROM events WHERE id > +? ORDER BY id LIMIT ${STEP_CONTENTS}`),
    variants: database.prepare<[number], ContentRow>(`
      SELECT variants.id, event_id, environment, variants.received_at, variants.body
      FROM variants JOIN events ON events.id = event_id
      WHERE variants.id > +? ORDER BY variants.id LIMIT ${STEP_CONTENTS}`),
  };
  const contradictions = contradictingContents(database, decode);
  const backlogs: Record<Source, Backlog> = { events: new Backlog(), variants: new Backlog() };

  /** The next contents of a source, without a gap. */
  function next(source: Source): readonly Waiting[] {
    const lastId = progress.get(source) ?? 0;
    const backlog = backlogs[source];
    backlog.dropUntil(lastId);
    if (backlog.run.length > 0) return backlog.run;
    // One by one until memory is full: all at once, 256 of the largest bodies would be 256 MiB.
    for (const row of nextOf[source].iterate(lastId)) {
      if (!backlog.add({ content: contentFromRow(source, row, decode), bytes: row.body.length })) break;
    }
    return backlog.run;
  }

  /** The observation of a content, and those of other contents under its key that only count beside it. */
  function observationsOf(content: KeptContent): RecordObservation[] {
    const own = observationOf(content);
    if (content.source === 'events') return own === null ? [] : [own];
    return own === null ? contradictions.beside(content) : [own, ...contradictions.before(content)];
  }

  /** The longest beginning with at most `records` records, as groups of observations per record. */
  function take(waiting: readonly Waiting[], records: number) {
    const groups = new Map<string, RecordObservation[]>();
    let last: KeptContent | undefined;
    let count = 0;
    for (const { content } of waiting) {
      const found = observationsOf(content);
      const [observation] = found;
      if (observation !== undefined) {
        const key = `${observation.kind} ${observation.environment} ${observation.reference}`;
        const group = groups.get(key);
        if (group === undefined && groups.size === records) break;
        if (group === undefined) groups.set(key, found);
        else group.push(...found);
      }
      last = content;
      if (++count === STEP_CONTENTS) break;
    }
    return { groups: groups.values(), last, count };
  }

  return {
    /** Adds a content that was just kept, so that applying it need not read and parse it again. */
    remember(content: KeptContent, bytes: number): void {
      backlogs[content.source].add({ content, bytes });
    },

    /**
     * Applies the next contents of each source, of at most `limit` records each: contents of one record share one fold, so
     * that thousands of events of one reference do not cost thousands of folds. The caller holds the transaction.
     */
    applyNext(limit: number, nowMs: number): Applied {
      let [contents, lastReceivedAtMs]: [number, number | null] = [0, null];
      const applied: AppliedRecord[] = [];
      for (const source of ['events', 'variants'] as const) {
        const { groups, last, count } = take(next(source), limit);
        if (last === undefined) continue;
        for (const group of groups) {
          records.observe(group, nowMs);
          if (collected) applied.push(appliedRecord(group));
        }
        advance.run(last.id, source);
        contents += count;
        lastReceivedAtMs = last.receivedAtMs;
      }
      return { contents, lastReceivedAtMs, records: applied };
    },
  };
}

/** Of a group of observations about one record, which has at least one. */
function appliedRecord(group: readonly RecordObservation[]): AppliedRecord {
  const { environment, kind, reference } = group[0] as RecordObservation;
  const eventIds = new Set(group.flatMap(({ eventId }) => eventId ?? []));
  return { environment, kind, reference, eventIds: [...eventIds] };
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
