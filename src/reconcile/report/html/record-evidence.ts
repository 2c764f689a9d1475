import type { Environment } from '../../../domain/environment.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import type { Archive } from '../../../store/archive.ts';
import { MOST_TOLD, type Told, toldByService, toldByWebhook } from './told.ts';

export type RecordArchive = Pick<Archive, 'record' | 'events'>;

interface Subject {
  readonly environment: Environment;
  readonly reference: string;
  readonly kinds: readonly RecordKind[];
}

/** Until when something counts as known, and how times are written. */
export interface Known {
  readonly asAtMs: number;
  readonly time: (ms: number) => string;
}

export interface OfRecords {
  readonly told: readonly Told[];
  /** By which lines name it. */
  readonly names: readonly string[];
}

/** What is known behind a row without a reference, beside the row. */
export const NO_RECORDS: OfRecords = { told: [], names: [] };

/** What webhooks and the service say of a reference; `kinds` of records only, because each is a look-up. */
export async function ofRecords(
  archive: RecordArchive,
  { environment, reference, kinds }: Subject,
  { asAtMs, time }: Known,
): Promise<OfRecords> {
  const names = new Set([reference]);
  const [byWebhook, byService]: [Told[], Told[]] = [[], []];
  const details = [];
  for (const kind of kinds) details.push(...(await archive.record(kind, reference, environment)));
  const events = await archive.events({ reference, environment }, { limit: MOST_TOLD + 1, order: 'oldest' });
  for (const event of events.slice(0, MOST_TOLD)) {
    if (event.receivedAtMs > asAtMs) continue;
    const record = details.find(({ kind }) => kind === event.kind);
    const said = record?.observations.find(
      ({ eventId, identity }) => eventId === event.id && identity === `event ${event.id}`,
    );
    byWebhook.push(toldByWebhook(event, said?.stated ?? null, { kind: record?.kind ?? null, time }));
  }
  if (events.length > MOST_TOLD) byWebhook.push({ by: 'Webhook', at: null, text: 'there are more', where: '' });
  for (const record of details) {
    byService.push(...toldByService(record, asAtMs, time));
    for (const name of [record.details.sessionId, record.facts.sessionId])
      if (typeof name === 'string' && name !== '') names.add(name);
  }
  return { told: [...byWebhook, ...byService], names: [...names] };
}
