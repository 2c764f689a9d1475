import { copyFileSync } from 'node:fs';
import { startAgain, type Turns } from './command.ts';
import { inTurn } from './in-turn.ts';
import { steadySender } from './ingest/steady-sender.ts';
import { SubjectProcess } from './ingest/subject-process.ts';
import { median } from './statistics.ts';
import { digits, table, whole } from './table.ts';
import type { Workplace } from './workplace.ts';

// How long deliveries take while another process runs a command on the same database, again and again.

const PER_SECOND = 500;
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
  /** How often the command was started in a measurement. */
  readonly starts: number;
  /** To the p99 of the first subject. */
  readonly ofFirst: number;
}

/** Measures receiving beside each in turn, each on a copy of its database; returns medians. The first is the measure. */
export async function measureBeside(
  workplace: Workplace,
  subjects: readonly Beside[],
  { rounds, seconds = 8 }: { readonly rounds: number; readonly seconds?: number },
): Promise<BesideRow[]> {
  const measured = await inTurn(
    'beside',
    subjects.map(({ name }) => name),
    rounds,
    async (name, round) => {
      const subject = subjects.find((one) => one.name === name) as Beside;
      const copy = `beside-${round}-${subjects.indexOf(subject)}.db`;
      return { name, ...(await measureOne(workplace, { ...subject, copy, seconds })) };
    },
  );
  const rows = subjects.map(({ name }) => {
    const own = measured.filter((row) => row.name === name);
    const middle = (value: (row: Omit<BesideRow, 'ofFirst'>) => number) => median(own.map(value));
    return {
      name,
      p50Ms: middle(({ p50Ms }) => p50Ms),
      p99Ms: middle(({ p99Ms }) => p99Ms),
      starts: middle(({ starts }) => starts),
    };
  });
  const first = rows[0]?.p99Ms ?? Number.NaN;
  return rows.map((row) => ({ ...row, ofFirst: row.p99Ms / first }));
}

async function measureOne(
  workplace: Workplace,
  { name, database, words, copy, seconds }: Beside & { readonly copy: string; readonly seconds: number },
) {
  const path = workplace.path(copy);
  copyFileSync(database, path);
  const receiver = await SubjectProcess.start(workplace, 'tallyhook', { database: path });
  const send = steadySender(workplace, { subject: name, port: receiver.port, perSecond: PER_SECOND });
  await send(WARM_UP_EVENTS);
  const stop = words === null ? () => 0 : startAgain(workplace, path, words);
  const { p50Ms, p99Ms } = await send(PER_SECOND * seconds);
  const starts = stop();
  await receiver.discard();
  return { p50Ms, p99Ms, starts };
}

export function besideText(rows: readonly BesideRow[]): string {
  return table(
    [`at ${PER_SECOND} events/s`, 'p50 ms', 'p99 ms', 'ratio', 'starts'],
    rows.map(({ name, p50Ms, p99Ms, ofFirst, starts }) => [
      name,
      digits(p50Ms),
      digits(p99Ms),
      digits(ofFirst),
      whole(starts),
    ]),
  );
}
