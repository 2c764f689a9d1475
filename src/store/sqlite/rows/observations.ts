import type { Stated } from '../../../domain/events/stated.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Observation, Witness } from '../../../domain/records/observation.ts';
import { fieldsFromJson, fieldsToJson } from './record-columns.ts';
import { timesFromJson, timesToJson } from './times.ts';

/** The columns of `observations` that make an observation. */
export interface ObservationRow {
  identity: string;
  witness: Witness;
  event_key: string;
  status: string | null;
  time: string | null;
  answer_counter: number | null;
  answered_at: number | null;
  content_digest: string | null;
  claim: string;
}

export function observationFromRow(kind: RecordKind, row: ObservationRow): Observation {
  const { status, time } = row;
  const stated = JSON.parse(row.claim);
  return {
    witness: row.witness,
    identity: row.identity,
    eventKey: row.event_key,
    answer: answerFromRow(row),
    stated: { status, time, ...statedIn(kind, stated), times: timesFromJson(kind, stated.times, time) },
  };
}

/** The column `claim`, parsed. */
interface StatedJson {
  readonly facts: Record<string, string>;
  readonly details: Record<string, string>;
  readonly unreadable?: readonly string[];
  readonly contradiction?: boolean;
  readonly otherEnvironment?: boolean;
}

/** What an observation states, without its status and its times. */
type StatedFields = Omit<Stated, 'status' | 'time' | 'times'>;

/** What the text of the column `claim` states. */
export function statedFromText(kind: RecordKind, text: string): StatedFields {
  return statedIn(kind, JSON.parse(text));
}

function statedIn(kind: RecordKind, stated: StatedJson): StatedFields {
  const { facts, details, unreadable = [], contradiction = false, otherEnvironment } = stated;
  return {
    facts: fieldsFromJson(kind, 'facts', facts),
    details: fieldsFromJson(kind, 'details', details),
    unreadable,
    contradiction,
    ...(otherEnvironment === true && { otherEnvironment }),
  };
}

function answerFromRow({ answer_counter, answered_at, content_digest }: ObservationRow): Observation['answer'] {
  if (answer_counter === null) return null;
  return { counter: Number(answer_counter), atMs: Number(answered_at), digest: content_digest };
}

/** The column `claim`, as JSON; status and time of the observation have columns of their own. */
export function statedText({
  time,
  facts,
  details,
  times,
  unreadable,
  contradiction,
  otherEnvironment,
}: Stated): string {
  return JSON.stringify({
    facts: fieldsToJson(facts),
    details: fieldsToJson(details),
    times: timesToJson(times, time),
    ...(unreadable.length > 0 && { unreadable }),
    ...(contradiction && { contradiction }),
    ...(otherEnvironment === true && { otherEnvironment }),
  });
}
