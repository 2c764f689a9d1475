import type { PayloadDecoder } from '../../../domain/events/event.ts';
import { type KeptContent, observationOf } from '../../../domain/events/webhook-observation.ts';
import type { RecordObservation } from '../../../domain/records/observation.ts';
import type { ObservedRecord } from '../../inbox.ts';
import type { Database } from '../engine/database.ts';
import { booksTime } from '../write/books-time.ts';
import { recordWrites } from '../write/records.ts';
import { contradictingContents } from './contradicting-contents.ts';

export interface ObservingOptions {
  /** IANA time zone of times without one (decision 87). */
  readonly zone: string;
  readonly decode?: PayloadDecoder | undefined;
  /** News makes a record due this many milliseconds later. */
  readonly debounceMs?: number;
}

/** A content and the entry of the log that it came in; 0: it came before there was a log. */
export interface CarriedContent extends KeptContent {
  readonly seq: number;
}

/** Observations of one record, and the last entry that has one. */
interface Group {
  readonly observations: RecordObservation[];
  seq: number;
}

/** Turns kept contents into observations. A content that is observed twice changes nothing. */
export function contentObserver(database: Database, { zone, decode, debounceMs = 0 }: ObservingOptions) {
  const records = recordWrites(database, { debounceMs });
  const timeAt = booksTime(database);
  const contradictions = contradictingContents(database, decode);

  /** The observation of a content, and those of other contents under its key that only count beside it. */
  function observationsOf(content: KeptContent): RecordObservation[] {
    const own = observationOf(content, zone);
    if (content.source === 'events') return own === null ? [] : [own];
    return own === null ? contradictions.beside(content) : [own, ...contradictions.before(content)];
  }

  return {
    /**
     * Observes contents, which are all kept. Those of one record share one fold, so that thousands of events of one reference do not cost
     * thousands of folds. The caller holds the transaction.
     */
    observe(contents: readonly CarriedContent[], nowMs: number): ObservedRecord[] {
      const groups = new Map<string, Group>();
      for (const content of contents) {
        const found = observationsOf(content);
        const [first] = found;
        if (first === undefined) continue;
        const key = `${first.kind} ${first.environment} ${first.reference}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, { observations: found, seq: content.seq });
        else {
          group.observations.push(...found);
          group.seq = Math.max(group.seq, content.seq);
        }
      }
      if (groups.size === 0) return [];
      const time = timeAt(nowMs);
      return [...groups.values()].map(({ observations, seq }) => {
        records.observe(observations, time, seq);
        return observedRecord(observations);
      });
    },
  };
}

/** Of a group of observations about one record, which has at least one. */
function observedRecord(group: readonly RecordObservation[]): ObservedRecord {
  const { environment, kind, reference } = group[0] as RecordObservation;
  return { environment, kind, reference, eventIds: [...new Set(group.flatMap(({ eventId }) => eventId ?? []))] };
}
