import { setTimeout as delay } from 'node:timers/promises';
import { steadySender } from '../ingest/steady-sender.ts';
import { SubjectProcess } from '../ingest/subject-process.ts';
import type { Workplace } from '../workplace.ts';
import { look } from './opened.ts';

// How long deliveries take while persons click through the pages of the same serve, and what its thread holds of memory then.

const WARM_UP_SECONDS = 2;
const PER_SECOND = 1_000;
/** From one click of a person to the next. */
const LOOKS_MS = 2_000;

export interface AckRow {
  readonly subject: 'alone' | 'clicked';
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly pages: number;
  /** By how much the memory of serve grew. */
  readonly grownBytes: number;
}

export interface Clicks {
  readonly addresses: readonly string[];
  readonly people: number;
  readonly seconds: number;
}

export async function measureAcks(
  workplace: Workplace,
  database: string,
  subject: AckRow['subject'],
  { addresses, people, seconds }: Clicks,
): Promise<AckRow> {
  const settings = { dashboard: { enabled: true, port: 0 } };
  const serve = await SubjectProcess.start(workplace, 'tallyhook', { database, settings });
  const send = steadySender(workplace, { subject, port: serve.port, perSecond: PER_SECOND });
  await send(PER_SECOND * WARM_UP_SECONDS);
  const before = serve.memory().rssBytes;
  const leaving = new AbortController();
  let pages = 0;
  const person = async (first: number) => {
    await delay((first * LOOKS_MS) / people);
    for (let at = first; !leaving.signal.aborted; at += people, pages++) {
      await look(serve.dashboardUrl + (addresses[at % addresses.length] ?? '/'));
      await delay(LOOKS_MS, undefined, { signal: leaving.signal }).catch(() => {});
    }
  };
  const clicking = Array.from({ length: subject === 'alone' ? 0 : people }, (_, first) => person(first));
  const { p50Ms, p99Ms } = await send(PER_SECOND * seconds);
  const grownBytes = serve.memory().rssBytes - before;
  leaving.abort();
  await Promise.all(clicking);
  await serve.stop();
  return { subject, p50Ms, p99Ms, pages, grownBytes };
}
