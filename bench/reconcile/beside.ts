import { copyFileSync } from 'node:fs';
import { inTurn } from '../in-turn.ts';
import { steadySender } from '../ingest/steady-sender.ts';
import { SubjectProcess } from '../ingest/subject-process.ts';
import { median } from '../statistics.ts';
import { digits, table } from '../table.ts';
import type { Workplace } from '../workplace.ts';
import { startReconcile } from './run.ts';

// How long deliveries take while another process reconciles the same database and keeps what it finds.

const PER_SECOND = 500;
const SECONDS = 8;
const WARM_UP_EVENTS = 1_000;

export interface BesideRow {
  readonly subject: 'idle' | 'reconciling';
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Measures receiving alone and beside a run in turn, each on a copy of the database; returns medians. */
export async function measureBeside(workplace: Workplace, database: string, rounds: number): Promise<BesideRow[]> {
  const subjects = ['idle', 'reconciling'] as const;
  const rows = await inTurn('beside', subjects, rounds, (subject, round) =>
    measureOne(workplace, subject, database, `beside-${round}-${subject}.db`),
  );
  return subjects.map((subject) => {
    const own = rows.filter((row) => row.subject === subject);
    return { subject, p50Ms: median(own.map(({ p50Ms }) => p50Ms)), p99Ms: median(own.map(({ p99Ms }) => p99Ms)) };
  });
}

async function measureOne(
  workplace: Workplace,
  subject: BesideRow['subject'],
  settled: string,
  name: string,
): Promise<BesideRow> {
  const database = workplace.path(name);
  copyFileSync(settled, database);
  const receiver = await SubjectProcess.start(workplace, 'tallyhook', { database });
  const send = steadySender(workplace, { subject, port: receiver.port, perSecond: PER_SECOND });
  await send(WARM_UP_EVENTS);
  const stop = subject === 'reconciling' ? startReconcile(workplace, database) : () => {};
  const { p50Ms, p99Ms } = await send(PER_SECOND * SECONDS);
  stop();
  await receiver.discard();
  return { subject, p50Ms, p99Ms };
}

export function besideText(rows: readonly BesideRow[]): string {
  const [idle, busy] = rows;
  const ratio = (value: (row: BesideRow) => number) => (idle && busy ? digits(value(busy) / value(idle)) : '-');
  const line = (name: string, value: (row: BesideRow) => number) => [
    name,
    ...rows.map((row) => digits(value(row))),
    ratio(value),
  ];
  return table(
    [`at ${PER_SECOND} events/s`, ...rows.map(({ subject }) => subject), 'ratio'],
    [line('p50 ms', (row) => row.p50Ms), line('p99 ms', (row) => row.p99Ms)],
  );
}
