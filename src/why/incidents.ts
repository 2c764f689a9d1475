import { keyTimestamp } from '../domain/events/event.ts';
import type { RecordStory, Story } from '../store/story.ts';
import { instantMs } from '../time/timestamp.ts';
import { type Entry, iso, type Source, type Wording } from './entry.ts';
import { type Incident, incidentsIn } from './incident.ts';

/** The incidents since the first that is known of these records; none without a record. */
export async function incidentsOf(
  { records }: Pick<Story, 'records'>,
  archive: Parameters<typeof incidentsIn>[0],
  now: Parameters<typeof incidentsIn>[2],
): Promise<readonly Incident[]> {
  if (records.length === 0) return [];
  const begins = records.flatMap((story) => waitsOf(story).map(({ fromMs }) => fromMs));
  return incidentsIn(archive, { sinceMs: Math.min(now.nowMs, ...begins), untilMs: now.nowMs + 1 }, now);
}

/** Incidents that delayed a webhook of the record, or in whose time none came. */
export const incidents: Source = (story, wording) => {
  const waits = waitsOf(story);
  return story.incidents
    .filter(({ kind, environments }) => kind !== 'alert' && environments.includes(story.record.environment))
    .flatMap((incident): Entry[] => {
      const [wait] = waits.filter(({ fromMs, toMs }) => incident.fromMs < toMs && (incident.toMs ?? toMs) >= fromMs);
      return wait === undefined ? [] : [entryOf(incident, wait, wording)];
    });
};

/** From when a webhook could have come until it came, or until the end of what is known. */
interface Wait {
  readonly fromMs: number;
  readonly toMs: number;
  /** The number of the event; null: none has come. */
  readonly event: number | null;
}

function waitsOf({ record, events, requests }: RecordStory): Wait[] {
  if (events.length === 0) {
    const begins = [record.firstSeenAtMs, ...requests.map(({ createdAtMs }) => createdAtMs)];
    const toMs = record.confirmedAtMs ?? Number.POSITIVE_INFINITY;
    return [{ fromMs: Math.min(...begins), toMs, event: null }];
  }
  return events.flatMap((event): Wait[] => {
    const timestamp = keyTimestamp(event);
    const fromMs = timestamp.kind === 'instant' ? instantMs(timestamp.text, 'UTC') : null;
    if (fromMs === null) return [];
    return [{ fromMs, toMs: event.receivedAtMs, event: event.id }];
  });
}

function entryOf(incident: Incident, wait: Wait, { time }: Wording): Entry {
  const until = incident.toMs === null ? 'It lasts.' : `Until ${time(incident.toMs)}.`;
  const { kind, reason, count, fromMs, toMs } = incident;
  const came =
    wait.event === null
      ? 'No webhook of it has come since.'
      : `Event ${wait.event}, dated ${time(wait.fromMs)} by the service, was received at ${time(wait.toMs)}.`;
  return {
    atMs: fromMs,
    source: 'incident',
    text: `${incident.text} ${until} ${came}`,
    facts: { kind, reason, count, until: iso(toMs) },
  };
}
