import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { steadySender } from '../ingest/steady-sender.ts';
import { SubjectProcess } from '../ingest/subject-process.ts';
import type { Workplace } from '../workplace.ts';
import { startApplication } from './targets.ts';

// How long deliveries take while each of their events is handed on to a fast and to a slow target.

const WARM_UP_SECONDS = 2;
const SLOW_MS = 5_000;

export interface ReceivingRow {
  readonly subject: 'alone' | 'beside';
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function measureReceiving(
  workplace: Workplace,
  subject: ReceivingRow['subject'],
  { perMinute, seconds }: { readonly perMinute: number; readonly seconds: number },
  name: string,
): Promise<ReceivingRow> {
  const folder = workplace.path(name);
  mkdirSync(folder);
  const applications = subject === 'alone' ? [] : [await startApplication(2), await startApplication(SLOW_MS)];
  const targets = applications.map(({ url }, n) => ({
    name: n === 0 ? 'fast' : 'slow',
    url,
    secrets: [`whsec_${Buffer.alloc(32, n + 1).toString('base64')}`],
    when: 'received',
    concurrency: 16,
  }));
  writeFileSync(join(folder, 'tallyhook.yaml'), JSON.stringify({ forward: { targets } }));
  const receiver = await SubjectProcess.start(workplace, 'tallyhook', { database: join(folder, 'tallyhook.db') });
  const perSecond = Math.round(perMinute / 60);
  const send = steadySender(workplace, { subject, port: receiver.port, perSecond });
  await send(perSecond * WARM_UP_SECONDS);
  const { p50Ms, p99Ms } = await send(perSecond * seconds);
  const [fast] = applications;
  if (fast !== undefined && fast.arrivals.size === 0) throw new Error('Nothing was forwarded meanwhile.');
  await receiver.discard();
  await Promise.all(applications.map((application) => application.close()));
  return { subject, p50Ms, p99Ms };
}
