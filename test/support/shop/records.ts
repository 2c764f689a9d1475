import type { Environment } from '../../../src/domain/environment.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { contentObserver } from '../../../src/store/sqlite/carry-out/observing.ts';
import { type Database, writing } from '../../../src/store/sqlite/engine/database.ts';
import { eventWrites } from '../../../src/store/sqlite/write/events.ts';
import type { OpenOperations } from '../../../src/store/store.ts';
import { delivery } from '../deliveries.ts';
import { serviceAnswer } from '../service-answer.ts';

/** A record as the service tells it: the bodies of its webhooks, and the `data` of the answer about its status. */
export interface Told {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly reference: string;
  readonly webhooks: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** When records become known, unless they are told later: on the morning of 5 November in Lagos. */
export const RECEIVED_MS = Date.parse('2026-11-05T07:00:00Z');
const LEASE_MS = 60_000;

/** Carries the webhooks of records out, by the code of the store, on this thread. */
export function keepWebhooks(database: Database, records: readonly Told[], nowMs: number): void {
  const events = eventWrites(database);
  const observer = contentObserver(database, { zone: 'UTC' });
  const deliveries = records.flatMap(({ environment, webhooks }) =>
    webhooks.map((body) => delivery(body, { environment, receivedAtMs: nowMs })),
  );
  writing(database, () => {
    const kept = events.keep(deliveries);
    observer.observe(
      kept.flatMap(({ content }) => (content === null ? [] : { ...content, seq: 0 })),
      nowMs,
    );
  })();
}

/** Ends a status check of each record with its answer, as a sweep does. */
export async function confirm({ checks }: Pick<OpenOperations, 'checks'>, records: readonly Told[]): Promise<void> {
  const finished: Parameters<typeof checks.finish>[0][number][] = [];
  for (const { environment, kind, reference, data } of records) {
    const filter = { kinds: [kind], environments: [environment], reference };
    const [leased] = await checks.lease({ filter, limit: 1, leaseMs: LEASE_MS });
    if (leased === undefined) throw new Error(`There is no ${kind} ${reference} to check.`);
    const answer = serviceAnswer(kind, String(data.status), data);
    finished.push({ ...leased, outcome: 'answered', answer, detail: null });
    if (kind !== 'refund') await checks.prove({ environment, endpoint: kind });
  }
  await checks.finish(finished);
}
