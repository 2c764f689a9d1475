import { copyFileSync } from 'node:fs';
import { startAgain, type Turns } from './command.ts';
import { inTurn } from './in-turn.ts';
import { steadySender } from './ingest/steady-sender.ts';
import { SubjectProcess } from './ingest/subject-process.ts';
import { median } from './statistics.ts';
import { digits, table } from './table.ts';
import type { Workplace } from './workplace.ts';

// How long deliveries take while another process runs a command on the same database, again and again.

const PER_SECOND = 500;
const SECONDS = 8;
const WARM_UP_EVENTS = 1_000;

export interface Beside {
  readonly name: string;
  readonly database: string;
  /** Null for nothing beside. */
  readonly words: Turns | null;
}

export interface BesideRow {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To the p99 of the first subject. */
  readonly ofFirst: number;
}

/** Measures receiving beside each in turn, each on a copy of its database; returns medians. The first is the measure. */
export async function measureBeside(
  workplace: Workplace,
  subjects: readonly Beside[],
  rounds: number,
): Promise<BesideRow[]> {
  const measured = await inTurn(
    'beside',
    subjects.map(({ name }) => name),
    rounds,
    async (name, round) => {
      const subject = subjects.find((one) => one.name === name) as Beside;
      return { name, ...(await measureOne(workplace, subject, `beside-${round}-${subjects.indexOf(subject)}.db`)) };
    },
  );
  const rows = subjects.map(({ name }) => {
    const own = measured.filter((row) => row.name === name);
    return { name, p50Ms: median(own.map(({ p50Ms }) => p50Ms)), p99Ms: median(own.map(({ p99Ms }) => p99Ms)) };
  });
  const first = rows[0]?.p99Ms ?? Number.NaN;
  return rows.map((row) => ({ ...row, ofFirst: row.p99Ms / first }));
}

async function measureOne(workplace: Workplace, { name, database, words }: Beside, copy: string) {
  const path = workplace.path(copy);
  copyFileSync(database, path);
  const receiver = await SubjectProcess.start(workplace, 'tallyhook', { database: path });
  const send = steadySender(workplace, { subject: name, port: receiver.port, perSecond: PER_SECOND });
  await send(WARM_UP_EVENTS);
  const stop = words === null ? () => {} : startAgain(workplace, path, words);
  const { p50Ms, p99Ms } = await send(PER_SECOND * SECONDS);
  stop();
  await receiver.discard();
  return { p50Ms, p99Ms };
}

export function besideText(rows: readonly BesideRow[]): string {
  return table(
    [`at ${PER_SECOND} events/s`, 'p50 ms', 'p99 ms', 'ratio'],
    rows.map(({ name, p50Ms, p99Ms, ofFirst }) => [name, digits(p50Ms), digits(p99Ms), digits(ofFirst)]),
  );
}
