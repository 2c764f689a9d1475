import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { inTurn } from '../in-turn.ts';
import { steadySender } from '../ingest/steady-sender.ts';
import { SubjectProcess } from '../ingest/subject-process.ts';
import { median } from '../statistics.ts';
import { digits, table } from '../table.ts';
import type { Workplace } from '../workplace.ts';
import { fillDue } from './fill.ts';

// How long deliveries take while the receiver's own sweep runs as fast as the service answers.

const PER_SECOND = 5_000;
const SECONDS = 8;
const WARM_UP_EVENTS = 5_000;
/** Enough for the whole measurement: a sweep makes about 1,500 status checks per second. */
const DUE = 60_000;
const POLL_MS = 100;

export interface BesideRow {
  readonly subject: 'idle' | 'sweeping';
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssBytes: number;
  /** Status checks that the service answered during the measurement, per second. */
  readonly askedPerSecond: number;
}

/** Measures both subjects in turn, each on a new database; returns medians. */
export async function measureBeside(workplace: Workplace, rounds: number, serviceMs: number): Promise<BesideRow[]> {
  const subjects = ['idle', 'sweeping'] as const;
  const rows = await inTurn('beside', subjects, rounds, (subject, round) =>
    measureOne(workplace, subject, serviceMs, `beside-${round}-${subject}.db`),
  );
  return subjects.map((subject) => {
    const own = rows.filter((row) => row.subject === subject);
    const middle = (value: (row: BesideRow) => number) => median(own.map(value));
    return {
      subject,
      p50Ms: middle((row) => row.p50Ms),
      p99Ms: middle((row) => row.p99Ms),
      rssBytes: middle((row) => row.rssBytes),
      askedPerSecond: middle((row) => row.askedPerSecond),
    };
  });
}

async function measureOne(
  workplace: Workplace,
  kind: BesideRow['subject'],
  serviceMs: number,
  name: string,
): Promise<BesideRow> {
  const database = workplace.path(name);
  await fillDue(database, DUE);
  const service = workplace.spawn(
    process.execPath,
    [new URL('service.ts', import.meta.url).pathname, String(serviceMs)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const [{ url }] = (await once(service, 'message')) as [{ url: string }];
  const answers = async () => {
    service.send('report');
    const [{ answers: count }] = (await once(service, 'message')) as [{ answers: number }];
    return count;
  };
  const settings = kind === 'idle' ? {} : { baseUrl: url, confirm: { concurrency: 32, perSecond: 10_000 } };
  const subject = await SubjectProcess.start(workplace, 'tallyhook', { database, settings });
  const send = steadySender(workplace, { subject: kind, port: subject.port, perSecond: PER_SECOND });
  await send(WARM_UP_EVENTS);
  // The scheduled sweep starts at the next full minute.
  while (kind === 'sweeping' && (await answers()) < 1_000) await delay(POLL_MS);
  const before = await answers();
  const { p50Ms, p99Ms, seconds } = await send(PER_SECOND * SECONDS);
  const askedPerSecond = ((await answers()) - before) / seconds;
  const { rssBytes } = subject.memory();
  await subject.discard();
  service.disconnect();
  return { subject: kind, p50Ms, p99Ms, rssBytes, askedPerSecond };
}

export function besideText(rows: readonly BesideRow[]): string {
  const [idle, sweeping] = rows;
  const ratio = (value: (row: BesideRow) => number) => (idle && sweeping ? digits(value(sweeping) / value(idle)) : '-');
  const line = (name: string, value: (row: BesideRow) => number) => [
    name,
    ...rows.map((row) => digits(value(row))),
    ratio(value),
  ];
  return table(
    [`at ${PER_SECOND} events/s`, ...rows.map(({ subject }) => subject), 'ratio'],
    [
      line('p50 ms', (row) => row.p50Ms),
      line('p99 ms', (row) => row.p99Ms),
      line('RSS MB', (row) => row.rssBytes / 1024 / 1024),
      line('checks per second', (row) => row.askedPerSecond),
    ],
  );
}
